package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.WhenFailed;
import io.idempotent.engine.EffectProof.Finding;
import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.Release;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The right to run an operation now, granted by the {@link IdempotencyGate gate}. It is
 * renewed until it is ended by exactly one of {@link #complete},
 * {@link #completeWithError}, {@link #fail}, {@link #release}, {@link #giveBack},
 * {@link #abandon} and {@link #stopRenewing}; further calls of these do nothing. They
 * never throw on account of the store: a write that the store did not accept is retried
 * in the background.
 *
 * <p>
 * If the operation leaves receipts, its receipt is looked up before the key is freed or
 * the outcome is recorded as unknown. Safe for use by several threads. Ending a claim
 * blocks for one round trip to the store, and for one statement if the receipt is looked
 * up.
 */
public final class Claim {

	private static final Log logger = LogFactory.getLog(Claim.class);

	private final ClaimId id;

	private final OperationPolicy policy;

	private final ClaimRequest.Term term;

	private final ClaimServices services;

	private final ClaimLease lease;

	private final ClaimWriter writer;

	private final @Nullable EffectStatus effect;

	private final EffectProof proof;

	private final AtomicReference<IdempotencyEvent.@Nullable Type> ended = new AtomicReference<>();

	private final @Nullable Origin origin;

	private final Duration burntFor;

	private final long claimedAt;

	private volatile Duration retention;

	private volatile @Nullable Outcome proven;

	private volatile boolean recordedError;

	Claim(ClaimId id, OperationPolicy policy, ClaimRequest request, ClaimServices services, long claimedAt) {
		this.id = id;
		this.policy = policy;
		this.term = request.term();
		this.origin = request.origin();
		this.retention = request.retention();
		this.burntFor = request.retention();
		this.claimedAt = claimedAt;
		this.services = services;
		this.lease = new ClaimLease(services.store(), id, policy.lease(), request.term(), claimedAt);
		this.writer = new ClaimWriter(id, policy.operation(), services, this::lost);
		this.effect = policy.receipt() ? services.receipts()
			.status(new OperationAttempt(id.key(), id.owner(), id.attempt(), policy.operation())) : null;
		this.proof = services.receipts().proof(this.effect);
	}

	/**
	 * The operation key.
	 */
	public OperationKey key() {
		return this.id.key();
	}

	boolean isOf(OperationKey key, Owner owner) {
		return this.id.key().equals(key) && this.id.owner().equals(owner);
	}

	/**
	 * The number of this claim of the record.
	 * @return the attempt, from 1
	 */
	public int attempt() {
		return this.id.attempt();
	}

	/**
	 * How long the operation will be remembered unless its end says otherwise.
	 */
	public Duration retention() {
		return this.retention;
	}

	/**
	 * Remembers the operation for another time than its policy says, however it ends.
	 * @param time the retention
	 */
	public void rememberFor(Duration time) {
		this.retention = time;
	}

	/**
	 * Whether another owner may hold the claim by now.
	 * @return whether a renewal found another owner, or no renewal succeeded for the time
	 * of a lease
	 */
	public boolean isLost() {
		return this.lease.isLost();
	}

	/**
	 * The status of the operation's effect in the guarded database.
	 * @return the status, or {@code null} if the operation leaves no receipt
	 */
	public @Nullable EffectStatus effect() {
		return this.effect;
	}

	/**
	 * Whether the operation is known to have taken effect, in this attempt or an earlier
	 * one, whatever it answers. Then it never runs again.
	 */
	public boolean tookEffect() {
		return this.proof.exists();
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
	 * @return the outcome that was recorded, or {@code null} if the operation's own end
	 * stands
	 */
	public @Nullable Outcome proven() {
		return this.proven;
	}

	/**
	 * Whether an error was recorded, to be replayed, of a run without an effect.
	 */
	public boolean hasRecordedError() {
		return this.recordedError;
	}

	void tookEffectBefore(Outcome outcome) {
		this.proof.tookEffectBefore(outcome);
	}

	/**
	 * Records that the operation took effect.
	 * @param outcome its outcome
	 * @param retention how long it is remembered
	 */
	public void complete(Outcome outcome, Duration retention) {
		if (!end(IdempotencyEvent.Type.COMPLETED)) {
			return;
		}
		if (!this.recordedError) {
			this.services.receipts().warnIfMissing(this.proof);
		}
		if (this.term == ClaimRequest.Term.BURNT) {
			publish(IdempotencyEvent.Type.COMPLETED);
			Duration left = this.burntFor.minusNanos(System.nanoTime() - this.claimedAt);
			if (left.compareTo(Duration.ZERO) > 0) {
				cache(Outcome.TOMBSTONE, left);
			}
		}
		else {
			switch (this.writer.write(new ClaimCompletion.Completed(outcome, retention),
					IdempotencyEvent.Type.COMPLETED)) {
				case WRITTEN -> cache(outcome, retention);
				case NOT_WRITTEN -> keepIfTakenOver(outcome);
				case CLAIM_LOST -> {
					// Kept already.
				}
			}
		}
	}

	private void keepIfTakenOver(Outcome outcome) {
		if (this.lease.isTakenOver()) {
			this.proof.keep(outcome);
		}
	}

	/**
	 * Records an error of the operation, to be replayed. If it took effect nevertheless,
	 * the effect is recorded instead. If it may have, the error is not recorded:
	 * {@link WhenFailed} decides.
	 * @param error the outcome that replays the error
	 * @param saysNoEffect whether the error says that there is no effect, so that a
	 * receipt of this attempt is deleted as in {@link #release()}
	 */
	public void completeWithError(Outcome error, boolean saysNoEffect) {
		endUnlessProven(saysNoEffect, () -> {
			if (this.proof.mayStillCommit()) {
				endFailed();
			}
			else {
				this.recordedError = true;
				complete(error, this.retention);
			}
		});
	}

	/**
	 * Records that the operation failed. If it took effect nevertheless, in this attempt
	 * or, as its receipt shows, in another one, the effect is recorded; otherwise the
	 * policy decides.
	 */
	public void fail() {
		endUnlessProven(false, this::endFailed);
	}

	private void endFailed() {
		if (this.policy.whenFailed() == WhenFailed.UNKNOWN) {
			leaveUnknown();
		}
		else {
			giveBack();
		}
	}

	/**
	 * Records that a commit of the operation in the guarded database is in doubt: its
	 * receipt decides. Without receipts its outcome is unknown.
	 */
	public void endInDoubt() {
		if (this.effect == null) {
			leaveUnknown();
		}
		else {
			this.effect.markInDoubt();
			fail();
		}
	}

	/**
	 * Frees the key, because the operation reported that it took no effect. If this
	 * attempt is known to have committed a receipt nevertheless, the receipt is deleted.
	 * If it cannot be deleted, is that of another attempt, or of a commit that was in
	 * doubt, the operation is recorded as done.
	 */
	public void release() {
		endUnlessProven(true, this::giveBack);
	}

	private void endUnlessProven(boolean saysNoEffect, Runnable otherwise) {
		if (saysNoEffect && !hasEnded()) {
			this.proof.withdraw();
		}
		completeIfProvenOr((unproven) -> {
			if (unproven.inDoubt()) {
				leaveUnknown();
			}
			else {
				otherwise.run();
			}
		});
	}

	/**
	 * Frees the key, because the operation never began.
	 */
	public void giveBack() {
		if (end(IdempotencyEvent.Type.RELEASED)) {
			this.writer.write(new ClaimCompletion.Released(Release.NO_EFFECT), IdempotencyEvent.Type.RELEASED);
		}
	}

	/**
	 * Frees the key, because the operation was skipped. A receipt that was committed
	 * nevertheless is deleted.
	 */
	public void wasNotRun() {
		if (this.effect != null && (this.effect.isCommitted() || this.effect.isInDoubt())) {
			release();
		}
		else {
			giveBack();
		}
	}

	/**
	 * Records that the outcome of the operation is unknown, unless its receipt proves
	 * that it took effect.
	 */
	public void abandon() {
		completeIfProvenOr((unproven) -> leaveUnknown());
	}

	/**
	 * Records that the operation took effect, with the outcome that is stored with its
	 * receipt, if there is one.
	 */
	public void completeAsProven() {
		completeIfProvenOr((unproven) -> complete(Outcome.TOMBSTONE, this.retention));
	}

	private void completeIfProvenOr(Consumer<Finding.Unproven> otherwise) {
		if (hasEnded()) {
			return;
		}
		Finding finding = this.proof.find();
		if (finding instanceof Finding.Done done) {
			this.proven = done.outcome();
			complete(done.outcome(), this.retention);
		}
		else {
			otherwise.accept((Finding.Unproven) finding);
		}
	}

	private void leaveUnknown() {
		if (!end(IdempotencyEvent.Type.LEFT_UNKNOWN)) {
			return;
		}
		if (this.term == ClaimRequest.Term.BURNT) {
			publish(IdempotencyEvent.Type.LEFT_UNKNOWN);
		}
		else {
			this.writer.write(new ClaimCompletion.Released(Release.UNKNOWN), IdempotencyEvent.Type.LEFT_UNKNOWN);
		}
	}

	/**
	 * Ends the renewal without writing anything: the outcome is unknown as soon as the
	 * lease has ended. For an operation that may still run where it can no longer be
	 * observed.
	 */
	public void stopRenewing() {
		if (end(IdempotencyEvent.Type.LEFT_UNKNOWN)) {
			publish(IdempotencyEvent.Type.LEFT_UNKNOWN);
		}
	}

	Duration lease() {
		return this.lease.duration();
	}

	boolean needsRenewal() {
		return this.lease.needsRenewal();
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
			lose("lost its claim while it was running: it did not renew within its lease of " + DurationText.of(lease())
					+ " and another submission took over, an operator released it, or the store has lost its record. "
					+ ((this.effect != null) ? "At most one of the two can commit its receipt in the guarded database"
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

	private boolean end(IdempotencyEvent.Type as) {
		if (!this.ended.compareAndSet(null, as)) {
			return false;
		}
		this.services.leases().forget(this);
		return true;
	}

	/**
	 * Another owner was found when the end was written, now or in the background.
	 */
	private void lost(ClaimCompletion completion) {
		lose("ended after its claim had passed to another submission");
		if (completion instanceof ClaimCompletion.Completed completed) {
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
