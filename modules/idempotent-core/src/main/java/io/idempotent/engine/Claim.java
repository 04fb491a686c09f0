package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.WhenFailed;
import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Ownership;
import io.idempotent.store.Release;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The right to run an operation now, from the {@link IdempotencyGate gate}. It is renewed
 * until it is ended by exactly one of {@link #complete}, {@link #fail}, {@link #release},
 * {@link #giveBack}, {@link #abandon} and {@link #stopRenewing}; further ends do nothing.
 * Ending never throws on account of the store: a word the store did not take is retried
 * in the background.
 *
 * <p>
 * An operation with receipts is never given back, and its outcome never called unknown,
 * before its receipt was asked. Safe for use by several threads. Ending blocks for one
 * round trip, and for one statement where the receipt is asked.
 */
public final class Claim {

	private static final Log logger = LogFactory.getLog(Claim.class);

	private final ClaimId id;

	private final OperationPolicy policy;

	private final ClaimRequest.Term term;

	private volatile Duration retention;

	private final Machinery machinery;

	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile long confirmed;

	private final AtomicBoolean lost = new AtomicBoolean();

	private final @Nullable EffectStatus effect;

	private final EffectProof proof;

	Claim(ClaimId id, OperationPolicy policy, ClaimRequest request, Machinery machinery, long claimedAt) {
		this.id = id;
		this.policy = policy;
		this.term = request.term();
		this.retention = request.retention();
		this.machinery = machinery;
		this.confirmed = claimedAt;
		this.effect = policy.receipt() ? new EffectStatus(id.key(), id.owner(), id.attempt(), policy.operation())
				: null;
		this.proof = new EffectProof(this.effect, machinery.receipts());
	}

	/**
	 * The operation key.
	 * @return the key
	 */
	public OperationKey key() {
		return this.id.key();
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
	 * @return the retention
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
	 * Whether the claim may be somebody else's by now.
	 * @return whether a renewal found another owner, or none got through for a lease
	 */
	public boolean isLost() {
		return this.lost.get() || (this.term == ClaimRequest.Term.LEASED
				&& System.nanoTime() - this.confirmed > this.policy.lease().toNanos());
	}

	/**
	 * What becomes of the operation in the guarded database.
	 * @return the effect, or {@code null} if the operation leaves no receipt
	 */
	public @Nullable EffectStatus effect() {
		return this.effect;
	}

	/**
	 * Whether the operation is known to have taken effect, in this attempt or an earlier
	 * one, whatever it answers. Then it never runs again.
	 * @return whether it did
	 */
	public boolean tookEffect() {
		return this.proof.isGiven();
	}

	void tookEffectBefore(Outcome outcome) {
		this.proof.tookEffectBefore(outcome);
	}

	/**
	 * The operation took effect.
	 * @param outcome what it answered
	 * @param retention how long it is remembered
	 */
	public void complete(Outcome outcome, Duration retention) {
		if (!end()) {
			return;
		}
		this.machinery.missing().check(this.proof.missing());
		if (this.term == ClaimRequest.Term.BURNT) {
			this.machinery.events().tell(IdempotencyEvent.Type.COMPLETED, this.policy.operation(), key());
			remember(Outcome.TOMBSTONE, this.retention);
		}
		else if (write(new ClaimCompletion.Completed(outcome, retention), IdempotencyEvent.Type.COMPLETED)) {
			remember(outcome, retention);
		}
		else if (this.lost.get()) {
			this.proof.keep(outcome);
		}
	}

	/**
	 * The operation failed. If it took effect all the same, in this attempt or, as its
	 * receipt tells, in another, that is remembered; otherwise its policy decides.
	 */
	public void fail() {
		endUnlessDone((inDoubt) -> {
			if (inDoubt || this.policy.whenFailed() == WhenFailed.UNKNOWN) {
				leaveUnknown();
			}
			else {
				giveBack();
			}
		});
	}

	/**
	 * Whether the operation was committed in the guarded database is in doubt: its
	 * receipt tells. Without receipts its outcome is unknown.
	 */
	public void endInDoubt() {
		if (this.effect == null) {
			leaveUnknown();
		}
		else {
			this.effect.inDoubt();
			fail();
		}
	}

	/**
	 * The operation says that it took no effect: the next submission runs. What it has
	 * committed all the same, or may have, loses its receipt; where that cannot be done,
	 * or where the effect is that of another attempt, it is remembered as done.
	 */
	public void release() {
		if (!this.ended.get()) {
			this.proof.withdraw();
			endUnlessDone((inDoubt) -> {
				if (inDoubt) {
					leaveUnknown();
				}
				else {
					giveBack();
				}
			});
		}
	}

	/**
	 * The operation never began: the next submission runs.
	 */
	public void giveBack() {
		if (end()) {
			write(new ClaimCompletion.Released(Release.NO_EFFECT), IdempotencyEvent.Type.RELEASED);
		}
	}

	/**
	 * Something else ran in the place of the operation: the next submission runs. What
	 * was committed all the same loses its receipt.
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
	 * It is unknown whether the operation took effect, unless its receipt does.
	 */
	public void abandon() {
		endUnlessDone((inDoubt) -> leaveUnknown());
	}

	/**
	 * The operation took effect in another attempt: the record holds what the receipt
	 * holds.
	 */
	public void completeAsProven() {
		endUnlessDone((inDoubt) -> complete(Outcome.TOMBSTONE, this.retention));
	}

	private void endUnlessDone(Consumer<Boolean> otherwise) {
		if (this.ended.get()) {
			return;
		}
		EffectProof.Finding finding = this.proof.look();
		if (finding instanceof EffectProof.Finding.Done done) {
			complete(done.outcome(), this.retention);
		}
		else {
			otherwise.accept(((EffectProof.Finding.Unproven) finding).inDoubt());
		}
	}

	private void leaveUnknown() {
		if (!end()) {
			return;
		}
		if (this.term == ClaimRequest.Term.BURNT) {
			this.machinery.events().tell(IdempotencyEvent.Type.LEFT_UNKNOWN, this.policy.operation(), key());
		}
		else {
			write(new ClaimCompletion.Released(Release.UNKNOWN), IdempotencyEvent.Type.LEFT_UNKNOWN);
		}
	}

	/**
	 * Says nothing more: the lease runs out unrenewed, and the outcome is unknown from
	 * then on. For an operation that may still run where nobody watches it any longer.
	 */
	public void stopRenewing() {
		if (end()) {
			this.machinery.events().tell(IdempotencyEvent.Type.LEFT_UNKNOWN, this.policy.operation(), key());
		}
	}

	Duration lease() {
		return this.policy.lease();
	}

	@Override
	public String toString() {
		return "claim of operation '" + this.policy.operation() + "' (key " + key() + ")";
	}

	boolean needsRenewal() {
		return this.term == ClaimRequest.Term.LEASED;
	}

	boolean isDue(long now) {
		return !this.ended.get() && !this.lost.get() && now - this.confirmed >= lease().toNanos() / 3;
	}

	/**
	 * Renews if a third of the lease has passed since the store last confirmed it.
	 * @param now the time, by {@link System#nanoTime()}
	 */
	void renewIfDue(long now) {
		if (!isDue(now)) {
			return;
		}
		if (this.machinery.store().renew(this.id, lease()) == Ownership.HELD) {
			this.confirmed = now;
		}
		else if (!this.ended.get()) {
			lose("lost its claim while it was running: it did not renew within its lease of " + DurationText.of(lease())
					+ " and another submission took over. "
					+ ((this.effect != null) ? "At most one of the two can commit its receipt in the guarded database"
							: "Its effect may happen twice; see docs/guarantees.md"));
		}
	}

	private void lose(String how) {
		if (this.lost.compareAndSet(false, true)) {
			logger.warn("Operation '" + this.policy.operation() + "' (key " + key() + ") " + how);
			this.machinery.events().tell(IdempotencyEvent.Type.CLAIM_LOST, this.policy.operation(), key());
		}
	}

	private boolean end() {
		if (!this.ended.compareAndSet(false, true)) {
			return false;
		}
		this.machinery.leases().forget(this);
		return true;
	}

	private boolean write(ClaimCompletion completion, IdempotencyEvent.Type type) {
		try {
			Ownership ownership = completion.applyTo(this.machinery.store(), this.id);
			tell(ownership, type);
			return ownership == Ownership.HELD;
		}
		catch (StoreUnavailableException ex) {
			logger.debug("The outcome of operation '" + this.policy.operation() + "' (key " + key()
					+ ") could not be recorded and will be retried", ex);
			retryLater(completion, type);
		}
		catch (UnreadableRecordException ex) {
			logger.error("The outcome of operation '" + this.policy.operation() + "' (key " + key()
					+ ") could not be recorded", ex);
			this.machinery.events().tell(IdempotencyEvent.Type.WRITE_DROPPED, this.policy.operation(), key());
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The store failed to record the outcome of operation '" + this.policy.operation() + "' (key "
					+ key() + "), which is retried in the background", ex);
			retryLater(completion, type);
		}
		return false;
	}

	private void retryLater(ClaimCompletion completion, IdempotencyEvent.Type type) {
		this.machinery.events().tell(IdempotencyEvent.Type.WRITE_DELAYED, this.policy.operation(), key());
		this.machinery.leases().retryLater(new PendingWrite(this.id, this.policy.operation(), completion, type));
	}

	private void tell(Ownership ownership, IdempotencyEvent.Type type) {
		if (ownership == Ownership.HELD) {
			this.machinery.events().tell(type, this.policy.operation(), key());
		}
		else {
			lose("ended after its claim had passed to another submission");
		}
	}

	private void remember(Outcome outcome, Duration retention) {
		this.machinery.cache().put(key(), new OutcomeCache.Entry(this.id.fingerprint(), outcome, attempt()), retention);
	}

	/**
	 * What claims share.
	 */
	record Machinery(IdempotencyStore store, LeaseKeeper leases, OutcomeCache cache, IdempotencyListeners events,
			@Nullable Receipts receipts, MissingReceipts missing) {

		Machinery(IdempotencyStore store, LeaseKeeper leases, OutcomeCache cache, IdempotencyListeners events,
				@Nullable Receipts receipts) {
			this(store, leases, cache, events, receipts, new MissingReceipts());
		}

	}

}
