package io.idempotent.submission.claim;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.submission.claim.End.Kind;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.AttemptReceipt;
import io.idempotent.support.Interrupts;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The right to run an operation now. It is renewed until its {@link #end} is recorded, or
 * dropped because the store never accepted it. Safe for use by several threads.
 */
public final class Claim {

	private static final Log logger = LogFactory.getLog(Claim.class);

	private final ClaimId id;

	private final OperationPolicy policy;

	private final Claims claims;

	private final AttemptReceipt receipt;

	private final AtomicReference<@Nullable End> ended = new AtomicReference<>();

	private final ClaimRequest request;

	private final long claimedAt;

	/**
	 * When the store last confirmed the lease, by {@link System#nanoTime()}; {@code null}
	 * for good once another owner has been found.
	 */
	private final AtomicReference<@Nullable Long> confirmedAt;

	/** Of what is completed. The record of a claim that lapses is kept longer. */
	private final Duration retention;

	Claim(ClaimId id, OperationPolicy policy, ClaimRequest request, Duration retention, long claimedAt, Claims claims) {
		this.id = id;
		this.policy = policy;
		this.request = request;
		this.retention = retention;
		this.claimedAt = claimedAt;
		this.confirmedAt = new AtomicReference<>(claimedAt);
		this.claims = claims;
		this.receipt = claims.services().receipts().of(policy, id);
	}

	ClaimId id() {
		return this.id;
	}

	public OperationKey key() {
		return this.id.key();
	}

	String operation() {
		return this.policy.operation();
	}

	public boolean isOf(OperationKey key, Owner owner) {
		return this.id.key().equals(key) && this.id.owner().equals(owner);
	}

	/** The number of this claim of the record, from 1. */
	public int attempt() {
		return this.id.attempt();
	}

	/**
	 * Another owner may hold the claim: a renewal found one, or no renewal succeeded
	 * within the lease.
	 */
	public boolean isLost() {
		Long confirmed = this.confirmedAt.get();
		return confirmed == null || (isLeased() && System.nanoTime() - confirmed > this.policy.lease().toNanos());
	}

	/**
	 * Renews a lease that has ended before the claim, except in a transaction, whose
	 * connection may be the last of the pool: there the clock decides. Returns why
	 * nothing may begin under this claim; {@code null} if it may.
	 */
	public @Nullable Refusal renewOrRefuse() {
		if (isLost() && ended() == null && !TransactionScope.isActive()) {
			Claims.renew(this);
		}
		return !isLost() ? null : isLostToAnother() ? Refusal.IN_PROGRESS : Refusal.STORE_UNAVAILABLE;
	}

	public AttemptReceipt receipt() {
		return this.receipt;
	}

	/** Another owner has been found. */
	public boolean isLostToAnother() {
		return this.confirmedAt.get() == null;
	}

	/** {@code null} if it has not ended. */
	public @Nullable End ended() {
		return this.ended.get();
	}

	/** The outcome of an end that is {@linkplain End#proven() proven}. */
	public @Nullable Outcome proven() {
		End end = this.ended.get();
		return (end != null && end.proven()) ? end.outcome() : null;
	}

	/** Ends the claim; what is completed is remembered for the retention. */
	public Duration end(End end) {
		return end(end, this.retention);
	}

	/**
	 * Ends the claim. Only its first end counts. Blocks for one round trip to the store.
	 * Never throws on account of the store: a write that it did not accept is retried in
	 * the background.
	 * @param kept how long it is remembered if it is completed
	 * @return how long it is remembered at least, counted from the claim: no longer than
	 * the policy says, as receipts may be the only record; zero if it is not completed,
	 * or the store has not confirmed that
	 */
	public Duration end(End end, Duration kept) {
		return Interrupts.deferDuring(() -> endNow(end, kept));
	}

	private Duration endNow(End reported, Duration kept) {
		boolean burnt = !isLeased() && reported.kind() != Kind.RELEASED;
		boolean unwritten = burnt || reported.kind() == Kind.UNOBSERVED;
		End end = unwritten ? reported : reported.encrypted(key(), this.claims.services().store());
		if (!this.ended.compareAndSet(null, end)) {
			return Duration.ZERO;
		}
		Duration remembered;
		try {
			remembered = unwritten ? endUnwritten(end) : write(end, kept);
		}
		catch (Throwable ex) {
			// Nothing else would stop it: the write may not wait among the pending ones.
			stopRenewal();
			throw ex;
		}
		if (end.kind() == Kind.COMPLETED && !end.proven()) {
			this.claims.services().receipts().warnIfMissing(this.policy.operation(), this.receipt);
		}
		return remembered;
	}

	/** A key that is burnt is remembered as such. */
	private Duration endUnwritten(End end) {
		stopRenewal();
		publish(end.event());
		if (end.outcome() == null) {
			return Duration.ZERO;
		}
		long now = System.nanoTime();
		return remember(Outcome.TOMBSTONE, this.retention, this.retention.minusNanos(now - this.claimedAt), now);
	}

	private Duration write(End end, Duration kept) {
		long since = System.nanoTime();
		Outcome outcome = end.outcome();
		Ownership ownership = null;
		try {
			ownership = end.writeTo(this.claims.services().store(), this.id, kept);
			recorded(end, ownership);
		}
		catch (Throwable ex) {
			this.claims.services().pending().writeLater(new PendingWrite.EndedClaim(this, end, kept), ex);
			if (isLostToAnother()) {
				this.receipt.addOutcome(outcome);
			}
		}
		boolean remembered = ownership == Ownership.HELD
				&& (outcome == Outcome.TOMBSTONE || end.stored() != Outcome.TOMBSTONE);
		return (outcome != null && remembered) ? remember(outcome, kept, kept, since) : Duration.ZERO;
	}

	/** The store has answered the write of the end, now or in the background. */
	void recorded(End end, Ownership ownership) {
		stopRenewal();
		if (ownership == Ownership.HELD) {
			publish(end.event());
		}
		else {
			lose("ended after its claim had passed to another submission");
			this.receipt.addOutcome(end.outcome());
		}
	}

	void stopRenewal() {
		this.claims.stopRenewal(this);
	}

	/** Gives up the answer of its end, whose write waits for want of memory. */
	End withoutAnswer(End end) {
		End without = end.withoutAnswer();
		this.ended.set(without);
		this.receipt.forgetOutcome();
		return without;
	}

	private Duration remember(Outcome outcome, Duration kept, Duration left, long since) {
		if (left.compareTo(Duration.ZERO) > 0) {
			ClaimResult.Completed done = new ClaimResult.Completed(outcome, attempt(), left, this.request.origin());
			this.claims.services().cache().put(key(), OutcomeCache.Entry.of(this.id.fingerprint(), done, since));
		}
		return (kept.compareTo(this.policy.retention()) < 0) ? kept : this.policy.retention();
	}

	/** A burnt key has no lease. */
	boolean isLeased() {
		return this.request.term() == Term.LEASED;
	}

	boolean isDue(long now) {
		Long confirmed = this.confirmedAt.get();
		return confirmed != null && now - confirmed >= this.policy.lease().toNanos() / 3;
	}

	/** A check each sixth of the lease leaves time to repeat a renewal that failed. */
	long nanosToNextCheck() {
		return this.policy.lease().toNanos() / 6;
	}

	/** Blocks for one round trip if the lease is due. */
	void renewIfDue(long now) {
		if (!isDue(now)) {
			return;
		}
		if (this.claims.services().store().renew(this.id, this.policy.lease()) == Ownership.HELD) {
			// The store's lease ends no earlier, even if this reply is an overtaken one.
			this.confirmedAt.updateAndGet((known) -> (known == null || known - now > 0) ? known : Long.valueOf(now));
		}
		else if (ended() != null) {
			// Its end is recorded, or its write, unless a release, reports the loss.
			stopRenewal();
		}
		else {
			lose("lost its claim while it was running: it did not renew within its lease of "
					+ DurationText.of(this.policy.lease())
					+ " and another submission took over, an operator released it, or the store has lost its record. "
					+ ((this.receipt != AttemptReceipt.NONE)
							? "At most one of the two can commit its receipt in the guarded database"
							: "Its effect may happen twice; see docs/guarantees.md"));
		}
	}

	private void lose(String reason) {
		if (this.confirmedAt.getAndSet(null) != null) {
			logger.warn("Operation '" + this.policy.operation() + "' (key " + key() + ") " + reason);
			publish(IdempotencyEvent.Type.CLAIM_LOST);
		}
	}

	private void publish(IdempotencyEvent.Type type) {
		this.claims.services().listeners().publish(type, this.policy.operation(), key());
	}

	@Override
	public String toString() {
		return "claim of operation '" + this.policy.operation() + "' (key " + key() + ")";
	}

}
