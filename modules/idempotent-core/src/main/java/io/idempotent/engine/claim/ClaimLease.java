package io.idempotent.engine.claim;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Ownership;
import io.idempotent.store.StoreUnavailableException;

/**
 * The lease of one claim as this node sees it, by {@link System#nanoTime()}. Safe for use
 * by several threads.
 */
final class ClaimLease {

	private final IdempotencyStore store;

	private final ClaimId claim;

	private final Duration duration;

	private final Term term;

	private final AtomicBoolean takenOver = new AtomicBoolean();

	private volatile long confirmedAt;

	/**
	 * Creates the lease.
	 * @param store renews the lease
	 * @param claim the claim
	 * @param duration how long it lasts without renewal
	 * @param term whether there is a lease at all
	 * @param claimedAt when the claim was requested
	 */
	ClaimLease(IdempotencyStore store, ClaimId claim, Duration duration, Term term, long claimedAt) {
		this.store = store;
		this.claim = claim;
		this.duration = duration;
		this.term = term;
		this.confirmedAt = claimedAt;
	}

	Duration duration() {
		return this.duration;
	}

	/** Whether the lease ends without renewal. A burnt key has no lease. */
	boolean needsRenewal() {
		return this.term == Term.LEASED;
	}

	/** Whether a third of the lease has passed since the store confirmed it last. */
	boolean isDue(long now) {
		return !isTakenOver() && now - this.confirmedAt >= this.duration.toNanos() / 3;
	}

	/**
	 * Renews the lease. Blocks for one round trip.
	 * @param now the time
	 * @return whether the claim is still the owner's
	 * @throws StoreUnavailableException if the store did not answer
	 */
	boolean renew(long now) {
		boolean held = this.store.renew(this.claim, this.duration) == Ownership.HELD;
		if (held) {
			// The time of the request: the store's lease ends no earlier.
			this.confirmedAt = now;
		}
		return held;
	}

	/** Whether the store has reported another owner. */
	boolean isTakenOver() {
		return this.takenOver.get();
	}

	/** Whether another owner may hold the claim by now. */
	boolean isLost() {
		return isTakenOver() || (needsRenewal() && System.nanoTime() - this.confirmedAt > this.duration.toNanos());
	}

	/**
	 * The store reported another owner.
	 * @return whether this was the first report
	 */
	boolean takeOver() {
		return this.takenOver.compareAndSet(false, true);
	}

}
