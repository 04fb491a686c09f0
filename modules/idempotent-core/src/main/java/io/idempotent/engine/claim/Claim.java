package io.idempotent.engine.claim;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.engine.receipt.OperationAttempt;
import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
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

	private final ClaimServices services;

	private final ClaimLease lease;

	private final EffectProof proof;

	private final AtomicReference<IdempotencyEvent.@Nullable Type> ended = new AtomicReference<>();

	private final @Nullable Origin origin;

	private final Duration burntFor;

	private final long claimedAt;

	private volatile Duration retention;

	private volatile @Nullable Outcome before;

	private volatile @Nullable Outcome proven;

	private volatile boolean recordedError;

	private final Consumer<Claim> whenEnded;

	Claim(ClaimId id, OperationPolicy policy, ClaimRequest request, long claimedAt, ClaimServices services,
			Consumer<Claim> whenEnded) {
		this.id = id;
		this.policy = policy;
		this.origin = request.origin();
		this.retention = request.retention();
		this.burntFor = request.retention();
		this.claimedAt = claimedAt;
		this.services = services;
		this.whenEnded = whenEnded;
		this.lease = new ClaimLease(services.store(), id, policy.lease(), request.term(), claimedAt);
		this.proof = services.receipts()
			.proof(policy, new OperationAttempt(id.key(), id.owner(), id.attempt(), policy.operation()));
	}

	/** The operation key. */
	public OperationKey key() {
		return this.id.key();
	}

	public boolean isOf(OperationKey key, Owner owner) {
		return this.id.key().equals(key) && this.id.owner().equals(owner);
	}

	/**
	 * The number of this claim of the record, from 1.
	 */
	public int attempt() {
		return this.id.attempt();
	}

	/** How long the operation will be remembered. */
	public Duration retention() {
		return this.retention;
	}

	/**
	 * Retains the operation for another time than its policy says, however it ends.
	 * @param time the retention
	 */
	public void rememberFor(Duration time) {
		this.retention = time;
	}

	/**
	 * Whether another owner may hold the claim by now: a renewal found another owner, or
	 * no renewal succeeded for the time of a lease.
	 */
	public boolean isLost() {
		return this.lease.isLost();
	}

	/**
	 * Answers whether the operation took effect in this attempt.
	 */
	public EffectProof proof() {
		return this.proof;
	}

	/**
	 * Whether the operation is known to have taken effect, in this attempt or an earlier
	 * one, whatever its answer. Then it never runs again.
	 */
	public boolean tookEffect() {
		return this.before != null || this.proof.exists();
	}

	/**
	 * The operation took effect before the claim was granted.
	 */
	public void tookEffectBefore(Outcome outcome) {
		this.before = outcome;
	}

	/**
	 * How the claim ended.
	 * @return {@link IdempotencyEvent.Type#COMPLETED}, {@code RELEASED},
	 * {@code LEFT_UNKNOWN} or, if another owner had taken it over, {@code CLAIM_LOST};
	 * {@code null} if it has not ended
	 */
	public IdempotencyEvent.@Nullable Type endedAs() {
		return this.lease.isTakenOver() ? IdempotencyEvent.Type.CLAIM_LOST : this.ended.get();
	}

	/**
	 * What a repeat gets, if the end of the claim found that the operation took effect
	 * although it failed or reported the contrary.
	 * @return the outcome that was recorded, or {@code null} if the operation's own one
	 * stands
	 */
	public @Nullable Outcome proven() {
		return this.proven;
	}

	/**
	 * Whether an error of a run without an effect was recorded, to be replayed.
	 */
	public boolean hasRecordedError() {
		return this.recordedError;
	}

	/**
	 * Ends the claim. Only its first end counts; further calls do nothing. Blocks for one
	 * round trip to the store, and for one statement if the receipt is looked up. Never
	 * throws on account of the store: a write that it did not accept is retried in the
	 * background.
	 * @param reported how the run ended; a receipt may show that it took effect
	 * nevertheless
	 */
	public void end(Ending reported) {
		if (hasEnded()) {
			return;
		}
		RecordedEnd end = RecordedEnd.of(reported, this.proof, this.before, this.policy.whenFailed());
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
			boolean silent = end == RecordedEnd.Open.SILENT || !this.lease.needsRenewal();
			endAs(IdempotencyEvent.Type.LEFT_UNKNOWN, silent ? null : Release.UNKNOWN);
		}
	}

	private void complete(Outcome outcome) {
		if (!hasFirstEnded(IdempotencyEvent.Type.COMPLETED)) {
			return;
		}
		if (!this.recordedError && this.before == null) {
			this.services.receipts().warnIfMissing(this.proof);
		}
		if (!this.lease.needsRenewal()) {
			publish(IdempotencyEvent.Type.COMPLETED);
			Duration left = this.burntFor.minusNanos(System.nanoTime() - this.claimedAt);
			if (left.compareTo(Duration.ZERO) > 0) {
				cache(Outcome.TOMBSTONE, left);
			}
			return;
		}
		Duration kept = this.retention;
		Ownership written = write(new PendingWrite.Completed(outcome, kept), IdempotencyEvent.Type.COMPLETED);
		if (written == Ownership.HELD) {
			cache(outcome, kept);
		}
		else if (written == null && this.lease.isTakenOver()) {
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
		return this.services.write(new PendingWrite(this.id, this.policy.operation(), write, type, this::lost));
	}

	ClaimLease lease() {
		return this.lease;
	}

	boolean isDue(long now) {
		return !hasEnded() && this.lease.isDue(now);
	}

	/**
	 * Renews if a third of the lease has passed since the store last confirmed it.
	 * @param now the time, by {@link System#nanoTime()}
	 */
	void renewIfDue(long now) {
		if (isDue(now) && !this.lease.renew(now) && !hasEnded()) {
			lose("lost its claim while it was running: it did not renew within its lease of "
					+ DurationText.of(this.lease.duration())
					+ " and another submission took over, an operator released it, or the store has lost its record. "
					+ ((this.proof.effect() != null)
							? "At most one of the two can commit its receipt in the guarded database"
							: "Its effect may happen twice; see docs/guarantees.md"));
		}
	}

	private void lose(String reason) {
		if (this.lease.takeOver()) {
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
		this.whenEnded.accept(this);
		return true;
	}

	/**
	 * Another owner was found when the outcome was written, now or in the background.
	 */
	private void lost(PendingWrite.What write) {
		lose("ended after its claim had passed to another submission");
		if (write instanceof PendingWrite.Completed completed) {
			this.proof.keep(completed.outcome());
		}
	}

	private void publish(IdempotencyEvent.Type type) {
		this.services.listeners().publish(type, this.policy.operation(), key());
	}

	private void cache(Outcome outcome, Duration retention) {
		this.services.cache()
			.put(key(), new OutcomeCache.Entry(this.id.fingerprint(), outcome, attempt(), this.origin), retention);
	}

	@Override
	public String toString() {
		return "claim of operation '" + this.policy.operation() + "' (key " + key() + ")";
	}

}
