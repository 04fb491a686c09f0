package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A grant that is valid no longer than the term in which it was made.
 *
 * @param counts whether the term counts this grant: from the beginning or never
 */
record TermGrant(EpochTerm term, LockEngine engine, LockGrant grant, long token,
		AtomicBoolean counts) implements LockGrant {

	/** Checks the token first, and then lets the term count the grant. */
	TermGrant(EpochTerm term, LockEngine engine, LockGrant grant, BooleanSupplier counts) {
		this(term, engine, grant, token(term, grant), new AtomicBoolean(counts.getAsBoolean()));
	}

	/** A grant whose token is refused is released, since its caller does not get it. */
	private static long token(EpochTerm term, LockGrant grant) {
		try {
			return term.token(grant.token());
		}
		catch (LockUnavailableException ex) {
			try {
				grant.release(Duration.ZERO);
			}
			catch (LockUnavailableException unreleased) {
				ex.addSuppressed(unreleased);
			}
			throw ex;
		}
	}

	@Override
	public LockGrant origin() {
		return this.grant.origin();
	}

	@Override
	public Duration lease() {
		return this.grant.lease();
	}

	@Override
	public boolean isValid() {
		return this.counts.get() && !this.term.hasEnded(System.nanoTime()) && this.grant.isValid();
	}

	@Override
	public long nanosLeft(long now) {
		return Math.min(this.term.nanosLeft(now), this.grant.nanosLeft(now));
	}

	@Override
	public GrantState renew(Duration lease) {
		return this.grant.renew(lease);
	}

	@Override
	public void abandoned() {
		if (this.counts.getAndSet(false)) {
			this.term.leave();
		}
		this.grant.abandoned();
	}

	@Override
	public GrantState release(Duration stayLocked) {
		abandoned();
		return this.grant.release(stayLocked);
	}

	/** While the nodes switch, the lock is released instead. */
	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		LockGrant other = this.term.isOpen() ? this.grant.handOff(next) : null;
		return (other != null) ? new TermGrant(this.term, this.engine, other, this.term::enter) : null;
	}

}
