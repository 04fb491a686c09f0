package io.idempotent.engine.claim;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.idempotent.IdempotencyEvent;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.engine.receipt.OperationAttempt;
import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The right to run an operation now. It is renewed until it is {@link #end ended}. Safe
 * for use by several threads.
 */
public final class Claim {

	private static final Log logger = LogFactory.getLog(Claim.class);

	private final ClaimId id;

	private final OperationPolicy policy;

	private final Claims claims;

	private final EffectProof proof;

	private final AtomicReference<IdempotencyEvent.@Nullable Type> ended = new AtomicReference<>();

	private final AtomicBoolean takenOver = new AtomicBoolean();

	private final ClaimRequest request;

	private final long claimedAt;

	/** When the store last confirmed the lease, by {@link System#nanoTime()}. */
	private final AtomicLong confirmedAt;

	private volatile Duration retention;

	private volatile Duration remembered = Duration.ZERO;

	private volatile @Nullable Outcome earlierOutcome;

	private volatile @Nullable Outcome proven;

	private volatile boolean recordedError;

	Claim(ClaimId id, OperationPolicy policy, ClaimRequest request, long claimedAt, Claims claims) {
		this.id = id;
		this.policy = policy;
		this.request = request;
		this.retention = request.retention();
		this.claimedAt = claimedAt;
		this.confirmedAt = new AtomicLong(claimedAt);
		this.claims = claims;
		this.proof = claims.receipts()
			.proof(policy,
					new OperationAttempt(id.key(), id.owner(), id.attempt(), policy.operation(), id.fingerprint()));
	}

	public OperationKey key() {
		return this.id.key();
	}

	public boolean isOf(OperationKey key, Owner owner) {
		return this.id.key().equals(key) && this.id.owner().equals(owner);
	}

	/** The number of this claim of the record, from 1. */
	public int attempt() {
		return this.id.attempt();
	}

	public Duration retention() {
		return this.retention;
	}

	/** Instead of the policy's retention, however it ends. */
	public void rememberFor(Duration time) {
		this.retention = time;
	}

	/**
	 * How long the completed operation is remembered at least, counted from the claim;
	 * zero before the store has confirmed an outcome, and without one.
	 */
	public Duration remembered() {
		return this.remembered;
	}

	/**
	 * Another owner may hold the claim: a renewal found one, or no renewal succeeded
	 * within the lease.
	 */
	public boolean isLost() {
		return this.takenOver.get()
				|| (isLeased() && System.nanoTime() - this.confirmedAt.get() > this.policy.lease().toNanos());
	}

	/** Blocks for one round trip: the store may renew a lease that has ended. */
	public boolean isRenewed() {
		Claims.renew(this);
		return !isLost();
	}

	public EffectProof proof() {
		return this.proof;
	}

	/** Whether the operation took effect in any attempt: then it never runs again. */
	public boolean tookEffect() {
		return this.earlierOutcome != null || this.proof.exists();
	}

	public void tookEffectBefore(Outcome outcome) {
		this.earlierOutcome = outcome;
	}

	/** {@code null} if it has not ended; lost if another owner had taken it over. */
	public IdempotencyEvent.@Nullable Type endedAs() {
		return this.takenOver.get() ? IdempotencyEvent.Type.CLAIM_LOST : this.ended.get();
	}

	/** The outcome that a receipt proves, although the run failed or denied it. */
	public @Nullable Outcome proven() {
		return this.proven;
	}

	public boolean hasRecordedError() {
		return this.recordedError;
	}

	/**
	 * Ends the claim. Only its first end counts. Blocks for one round trip to the store,
	 * and for one statement if the receipt is looked up. Never throws on account of the
	 * store: a write that it did not accept is retried in the background.
	 */
	public void end(Ending reported) {
		if (hasEnded()) {
			return;
		}
		RecordedEnd end = RecordedEnd.of(reported, this.proof, this.earlierOutcome, this.policy.whenFailed());
		if (end instanceof RecordedEnd.Done done) {
			if (done.basis() == RecordedEnd.Basis.PROVEN) {
				this.proven = done.outcome();
			}
			this.recordedError = this.recordedError || done.basis() == RecordedEnd.Basis.ERROR;
			complete(done.outcome());
		}
		else if (end == RecordedEnd.Open.FREED) {
			endAs(IdempotencyEvent.Type.RELEASED, Release.NO_EFFECT);
		}
		else {
			// A key that is burnt is remembered as such.
			boolean silent = end == RecordedEnd.Open.SILENT || !isLeased();
			endAs(IdempotencyEvent.Type.LEFT_UNKNOWN, silent ? null : Release.UNKNOWN);
		}
	}

	private void complete(Outcome outcome) {
		if (!hasFirstEnded(IdempotencyEvent.Type.COMPLETED)) {
			return;
		}
		if (!this.recordedError && this.earlierOutcome == null) {
			this.claims.receipts().warnIfMissing(this.proof);
		}
		if (!isLeased()) {
			publish(IdempotencyEvent.Type.COMPLETED);
			this.remembered = this.request.retention();
			long now = System.nanoTime();
			Duration left = this.remembered.minusNanos(now - this.claimedAt);
			if (left.compareTo(Duration.ZERO) > 0) {
				cache(Outcome.TOMBSTONE, left, now);
			}
			return;
		}
		Duration kept = this.retention;
		long since = System.nanoTime();
		Ownership written = write(new PendingWrite.Completed(outcome, kept), IdempotencyEvent.Type.COMPLETED);
		if (written == Ownership.HELD) {
			this.remembered = kept;
			cache(outcome, kept, since);
		}
		else if (written == null && this.takenOver.get()) {
			this.proof.keep(outcome);
		}
	}

	private void endAs(IdempotencyEvent.Type type, @Nullable Release release) {
		if (!hasFirstEnded(type)) {
			return;
		}
		if (release != null) {
			write(new PendingWrite.Released(release), type);
		}
		else {
			publish(type);
		}
	}

	private @Nullable Ownership write(PendingWrite.What write, IdempotencyEvent.Type type) {
		return this.claims.write(new PendingWrite(this.id, this.policy.operation(), write, type, this::lost));
	}

	/** A burnt key has no lease. */
	boolean isLeased() {
		return this.request.term() == Term.LEASED;
	}

	boolean isDue(long now) {
		return !hasEnded() && !this.takenOver.get()
				&& now - this.confirmedAt.get() >= this.policy.lease().toNanos() / 3;
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
		if (this.claims.store().renew(this.id, this.policy.lease()) == Ownership.HELD) {
			// The store's lease ends no earlier, even if this reply is an overtaken one.
			this.confirmedAt.accumulateAndGet(now, (one, other) -> (one - other > 0) ? one : other);
		}
		else if (!hasEnded()) {
			lose("lost its claim while it was running: it did not renew within its lease of "
					+ DurationText.of(this.policy.lease())
					+ " and another submission took over, an operator released it, or the store has lost its record. "
					+ ((this.proof.effect() != null)
							? "At most one of the two can commit its receipt in the guarded database"
							: "Its effect may happen twice; see docs/guarantees.md"));
		}
	}

	private void lose(String reason) {
		if (this.takenOver.compareAndSet(false, true)) {
			logger.warn("Operation '" + this.policy.operation() + "' (key " + key() + ") " + reason);
			publish(IdempotencyEvent.Type.CLAIM_LOST);
		}
	}

	private boolean hasEnded() {
		return this.ended.get() != null;
	}

	private boolean hasFirstEnded(IdempotencyEvent.Type as) {
		if (!this.ended.compareAndSet(null, as)) {
			return false;
		}
		this.claims.forget(this);
		return true;
	}

	/** Another owner was found when the outcome was written, now or in the background. */
	private void lost(PendingWrite.What write) {
		lose("ended after its claim had passed to another submission");
		if (write instanceof PendingWrite.Completed completed) {
			this.proof.keep(completed.outcome());
		}
	}

	private void publish(IdempotencyEvent.Type type) {
		this.claims.publish(type, this.policy.operation(), key());
	}

	private void cache(Outcome outcome, Duration left, long since) {
		ClaimResult.Completed done = new ClaimResult.Completed(outcome, attempt(), left, this.request.origin());
		this.claims.cache().put(key(), OutcomeCache.Entry.of(this.id.fingerprint(), done, since), left);
	}

	@Override
	public String toString() {
		return "claim of operation '" + this.policy.operation() + "' (key " + key() + ")";
	}

}
