package io.idempotent.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.idempotent.IdempotencyEvent;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.OperationAttempt;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The state machine of idempotent operations: decides what happens to a submission.
 *
 * <pre>
 * absent ──issue──▶ ISSUED ──claim──▶ IN_PROGRESS ──complete──▶ COMPLETED ──retention──▶ absent
 *    └──────────claim (no token needed)────▲  │ └─release──▶ where it came from
 *                                             └─lease lapses──▶ UNKNOWN ──policy──▶ claim again | refused
 * </pre>
 *
 * <p>
 * Safe for use by several threads. {@link #enter} blocks for one round trip to the store,
 * or for the time that its policy allows if it waits. Close the gate after the last
 * operation has ended and before the store is closed.
 */
public final class IdempotencyGate implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(IdempotencyGate.class);

	private final WatchedStore store;

	private final OutcomeCache cache;

	private final IdempotencyListeners listeners;

	private final SubmissionObserver observer;

	private final OperationReceipts receipts;

	private final Claims claims;

	private final WaitRoom waitRoom;

	private final UnknownOutcomes unknown;

	IdempotencyGate(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, SubmissionObserver observer,
			OperationReceipts receipts, Claims claims, WaitRoom waitRoom, UnknownOutcomes unknown) {
		this.store = store;
		this.cache = cache;
		this.listeners = listeners;
		this.observer = observer;
		this.receipts = receipts;
		this.claims = claims;
		this.waitRoom = waitRoom;
		this.unknown = unknown;
	}

	/**
	 * The receipts of operations.
	 */
	public OperationReceipts receipts() {
		return this.receipts;
	}

	/**
	 * The listeners for events of submissions.
	 */
	public IdempotencyListeners listeners() {
		return this.listeners;
	}

	/**
	 * The observer of submissions.
	 */
	public SubmissionObserver observer() {
		return this.observer;
	}

	/**
	 * Issues a key, so that a submission may require that it was issued.
	 * @param key the key
	 * @param timeToLive how long it may be claimed for the first time
	 * @throws StoreUnavailableException if the store does not answer
	 */
	public void issue(OperationKey key, Duration timeToLive) {
		this.store.issue(key, timeToLive);
	}

	/**
	 * Checks whether the store accepts writes, by issuing a key that is never claimed.
	 * Blocks for one round trip.
	 * @param key a key that no submission uses; all nodes may use the same one
	 * @param timeToLive when it expires
	 * @throws StoreUnavailableException if the store does not answer, or refuses the
	 * write
	 */
	public void checkStore(OperationKey key, Duration timeToLive) {
		this.store.check(key, timeToLive);
	}

	/**
	 * The current activity of this gate, without a remote call.
	 */
	public GateStatus status() {
		boolean failing = this.store.isFailing();
		return new GateStatus(this.claims.countRunning(), this.waitRoom.waiting(), this.claims.countPending(),
				this.claims.pendingBytes(), failing, failing ? this.store.refused() : 0,
				failing ? this.store.unprotected() : 0);
	}

	/**
	 * Decides what happens to a submission. Never throws because of the store.
	 * @param policy how the operation is treated
	 * @param submission the submission
	 * @return the decision; a claim that comes with it must be ended
	 */
	public Decision enter(OperationPolicy policy, Submission submission) {
		Decision decision = decide(policy, submission);
		if (decision instanceof Decision.Refused refused) {
			this.listeners.refused(policy, submission.key(), refused.reason());
		}
		else if (decision instanceof Decision.Replay) {
			this.listeners.replayed(policy, submission.key());
		}
		return decision;
	}

	/**
	 * The keys of the operations whose claims this gate holds and renews.
	 */
	public Stream<OperationKey> runningKeys() {
		return this.claims.running().map(Claim::key);
	}

	/**
	 * Whether this gate holds and renews a claim.
	 * @param key the operation key
	 * @param owner the owner of the claim
	 */
	public boolean isRunning(OperationKey key, Owner owner) {
		return this.claims.running().anyMatch((claim) -> claim.isOf(key, owner));
	}

	/**
	 * Retries the outcomes that the store has not accepted yet, for instance before its
	 * connection is closed.
	 */
	public void flush() {
		this.claims.flush();
	}

	/**
	 * Stops the renewal of claims, and retries the outcomes that the store has not
	 * accepted yet for the last time.
	 */
	@Override
	public void close() {
		this.claims.close();
	}

	private Decision decide(OperationPolicy policy, Submission submission) {
		OutcomeCache.Entry cached = this.cache.find(submission.key());
		if (cached != null) {
			return cached.fingerprint().equals(submission.fingerprint()) ? completed(policy, submission.key(), cached)
					: new Decision.Refused(Refusal.KEY_REUSED);
		}
		ClaimRequest request = this.claims.request(policy, submission);
		long requestedAt = System.nanoTime();
		try {
			ClaimResult result = this.claims.claim(policy, request);
			return (result instanceof ClaimResult.InProgress && policy.whenInProgress() == WhenInProgress.WAIT)
					? await(policy, submission, request) : decide(policy, submission, request, result, requestedAt);
		}
		catch (StoreUnavailableException ex) {
			return storeFailed(policy, request, ex);
		}
		catch (UnreadableRecordException ex) {
			logger.error(
					"Operation '" + policy.operation() + "' refused a submission, because its record cannot be read",
					ex);
			return new Decision.Refused(Refusal.RECORD_UNREADABLE);
		}
	}

	private Decision await(OperationPolicy policy, Submission submission, ClaimRequest request) {
		AtomicLong requestedAt = new AtomicLong();
		try {
			ClaimResult result = this.waitRoom.await(request.key(), policy.waitTimeout(), policy.retention(), () -> {
				requestedAt.set(System.nanoTime());
				return this.claims.claim(policy, request.whileListening());
			});
			return (result != null) ? decide(policy, submission, request, result, requestedAt.get())
					: new Decision.Refused(Refusal.IN_PROGRESS);
		}
		catch (StoreUnavailableException ex) {
			// The operation was running when the store last answered: never run it twice.
			this.store.refused(policy.operation(), ex);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
	}

	private Decision decide(OperationPolicy policy, Submission submission, ClaimRequest request, ClaimResult result,
			long requestedAt) {
		if (result instanceof ClaimResult.Granted granted) {
			return granted(policy, submission, request, granted, requestedAt);
		}
		if (result instanceof ClaimResult.Unknown) {
			return unknown(policy, submission, request);
		}
		if (result instanceof ClaimResult.Completed completed) {
			OutcomeCache.Entry entry = new OutcomeCache.Entry(request.fingerprint(), completed.outcome(),
					completed.attempt(), completed.origin());
			this.cache.put(request.key(), entry, completed.retentionLeft());
			return completed(policy, request.key(), entry);
		}
		return new Decision.Refused(refusal(result));
	}

	private static Refusal refusal(ClaimResult result) {
		if (result instanceof ClaimResult.InProgress) {
			return Refusal.IN_PROGRESS;
		}
		return (result instanceof ClaimResult.KeyReused) ? Refusal.KEY_REUSED : Refusal.TOKEN_UNKNOWN;
	}

	private Decision granted(OperationPolicy policy, Submission submission, ClaimRequest request,
			ClaimResult.Granted granted, long requestedAt) {
		Claim claim = this.claims.open(policy, submission, request, granted, requestedAt);
		if (granted.tookOver()) {
			return this.unknown.resolve(policy, submission, claim);
		}
		this.listeners.publish(IdempotencyEvent.Type.GRANTED, policy.operation(), request.key());
		return new Decision.Run(claim, false);
	}

	/**
	 * Decides on an operation whose outcome is unknown. The receipt is looked up before
	 * the record is changed: without a receipt, the previous owner may still complete its
	 * claim, and repeats must not extend the life of the record.
	 */
	private Decision unknown(OperationPolicy policy, Submission submission, ClaimRequest request) {
		Outcome committed = this.receipts.resolve(policy, submission.key()).orElse(null);
		if (committed == null) {
			return new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
		}
		long requestedAt = System.nanoTime();
		ClaimRequest takeOver = request.takingOver();
		ClaimResult result = this.claims.claim(policy, takeOver);
		return (result instanceof ClaimResult.Granted granted) ? this.unknown.tookEffect(policy,
				this.claims.open(policy, submission, takeOver, granted, requestedAt), committed)
				: decide(policy, submission, takeOver, result, requestedAt);
	}

	/**
	 * Decides on a completed operation. Instead of a tombstone, the result that was
	 * stored with the receipt is replayed, if there is one.
	 */
	private Decision completed(OperationPolicy policy, OperationKey key, OutcomeCache.Entry done) {
		Outcome recorded = done.outcome();
		boolean lookUp = recorded instanceof Outcome.Tombstone && policy.whenCompleted() == WhenCompleted.REPLAY;
		Outcome outcome = lookUp ? this.receipts.find(policy, key).orElse(recorded) : recorded;
		return Decision.completed(policy, outcome, done.attempt(), done.origin());
	}

	private Decision storeFailed(OperationPolicy policy, ClaimRequest request, StoreUnavailableException ex) {
		// An interrupt says nothing about the store.
		if (policy.whenStoreFails() == WhenStoreFails.REJECT || Thread.currentThread().isInterrupted()) {
			this.store.refused(policy.operation(), ex);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
		this.store.ranUnprotected(policy, request.key(), ex);
		this.listeners.publish(IdempotencyEvent.Type.UNPROTECTED, policy.operation(), request.key());
		return new Decision.RunUnprotected(this.receipts.proof(policy,
				new OperationAttempt(request.key(), request.owner(), 0, policy.operation())));
	}

}
