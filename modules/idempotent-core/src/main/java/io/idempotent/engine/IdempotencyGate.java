package io.idempotent.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.logging.Outage;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.retry.RetryOperations;

/**
 * The state machine behind every entrance: decides what becomes of a submission.
 *
 * <pre>
 * absent ──issue──▶ ISSUED ──claim──▶ IN_PROGRESS ──complete──▶ COMPLETED ──retention──▶ absent
 *    └──────────claim (no token needed)────▲  │ └─release──▶ where it came from
 *                                             └─lease lapses──▶ UNKNOWN ──policy──▶ claim again | refused
 * </pre>
 *
 * <p>
 * Safe for use by several threads. {@link #enter} blocks for one round trip, or for the
 * time of its policy when it waits. Whoever creates the gate closes it, after the last
 * operation has ended and before the store is closed.
 */
public final class IdempotencyGate implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(IdempotencyGate.class);

	private final StoreOutage store;

	private final RetryOperations retry;

	private final OutcomeCache cache;

	private final IdempotencyListeners events;

	private final LeaseKeeper leases;

	private final WaitRoom waitRoom;

	private final UnknownOutcomes unknown;

	private final @Nullable Receipts receipts;

	private final Claim.Machinery machinery;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates a gate.
	 * @param store where records are kept
	 * @param retry how often a claim is repeated that the store did not answer
	 * @param wakeUps how waiters are woken, or {@code null} if they poll
	 * @param maxWaiters how many submissions may wait at a time
	 * @param cache outcomes near by
	 * @param verifier whom to ask about unknown outcomes, or {@code null} if no policy
	 * asks
	 * @param receipts what the guarded database knows of effects, or {@code null} if no
	 * policy wants them
	 * @param listeners who hears what happens
	 */
	public IdempotencyGate(IdempotencyStore store, ClaimRetry retry, @Nullable WakeUps wakeUps, int maxWaiters,
			OutcomeCache cache, @Nullable OutcomeVerifier verifier, @Nullable Receipts receipts,
			List<IdempotencyListener> listeners) {
		this.store = new StoreOutage(store, Outage.QUIET);
		this.retry = retry.template();
		this.cache = cache;
		this.receipts = receipts;
		this.events = new IdempotencyListeners(listeners);
		this.unknown = new UnknownOutcomes(verifier, receipts, this.events);
		this.leases = new LeaseKeeper(this.store, this.events);
		this.waitRoom = new WaitRoom(maxWaiters, wakeUps);
		this.machinery = new Claim.Machinery(this.store, this.leases, cache, this.events, receipts);
	}

	/**
	 * Makes a key known, so that a submission may insist on it.
	 * @param key the key
	 * @param timeToLive how long it may be claimed for the first time
	 * @throws StoreUnavailableException if the store does not answer
	 */
	public void issue(OperationKey key, Duration timeToLive) {
		this.store.issue(key, timeToLive);
	}

	/**
	 * Decides what becomes of a submission. Never throws on account of the store.
	 * @param policy how the operation is treated
	 * @param submission the submission
	 * @return the decision; a {@link Decision.Run} must be ended by its claim
	 */
	public Decision enter(OperationPolicy policy, Submission submission) {
		Decision decision = decide(policy, submission);
		if (decision instanceof Decision.Refused refused) {
			this.events.tell(IdempotencyEvent.Type.REFUSED, policy.operation(), submission.key(), refused.reason());
		}
		else if (decision instanceof Decision.Replay) {
			this.events.tell(IdempotencyEvent.Type.REPLAYED, policy.operation(), submission.key());
		}
		return decision;
	}

	/**
	 * Runs an operation, so that the guarded database refuses a second effect.
	 * @param <T> the type of its result
	 * @param <X> the type of exception it throws
	 * @param effect its effect, or {@code null} if it leaves no receipt
	 * @param work the operation
	 * @return its result
	 * @throws X what it throws
	 */
	public <T extends @Nullable Object, X extends Throwable> T run(@Nullable EffectStatus effect,
			ThrowingSupplier<T, X> work) throws X {
		return (effect != null && this.receipts != null) ? this.receipts.execute(effect, work) : work.get();
	}

	/**
	 * The operation's own code begins, within {@link #run}. Called again where the code
	 * is repeated.
	 * @param effect its effect, or {@code null} if it leaves no receipt
	 */
	public void begins(@Nullable EffectStatus effect) {
		if (effect != null && this.receipts != null) {
			effect.begins(this.receipts.join(effect));
		}
	}

	/**
	 * A part of the operation begins in another place than its own code, within
	 * {@link #run}: a transaction that is open there belongs to it, and does not decide
	 * on it.
	 * @param effect its effect
	 */
	void joins(EffectStatus effect) {
		if (this.receipts != null) {
			this.receipts.join(effect);
		}
	}

	/**
	 * Looks for the outcome that was kept with the receipt of an operation.
	 * @param policy how the operation is treated
	 * @param key which operation
	 * @return the outcome, if it can be replayed
	 */
	public Optional<Outcome.Stored> outcomeOf(OperationPolicy policy, OperationKey key) {
		return this.unknown.receipt(policy, key)
			.filter(Outcome.Stored.class::isInstance)
			.map(Outcome.Stored.class::cast);
	}

	/**
	 * Tells the listeners that the answer of an earlier run was rebuilt.
	 * @param policy how the operation is treated
	 * @param key which operation
	 */
	public void answered(OperationPolicy policy, OperationKey key) {
		this.events.tell(IdempotencyEvent.Type.REPLAYED, policy.operation(), key);
	}

	/**
	 * Tells the listeners that a run was refused by the guarded database, or that the
	 * answer of an earlier one could not be rebuilt.
	 * @param policy how the operation is treated
	 * @param key which operation
	 * @return what to tell the caller
	 */
	public Refusal refusedAsDone(OperationPolicy policy, OperationKey key) {
		Refusal reason = (policy.whenCompleted() == WhenCompleted.REPLAY) ? Refusal.RESPONSE_UNAVAILABLE
				: Refusal.DUPLICATE;
		this.events.tell(IdempotencyEvent.Type.REFUSED, policy.operation(), key, reason);
		return reason;
	}

	/**
	 * Tells the listeners of a submission that was refused before it could be named: its
	 * key was missing, malformed or foreign, or its content too large.
	 * @param operation the name of the operation
	 * @param reason why it was refused
	 */
	public void refusedUnnamed(String operation, Refusal reason) {
		this.events.tellUnnamed(operation, reason);
	}

	/**
	 * Says what the store has not taken yet once more, for instance before its connection
	 * goes down.
	 */
	public void flush() {
		this.leases.flush();
	}

	/**
	 * Stops renewing and says what the store has not taken yet once more.
	 */
	@Override
	public void close() {
		this.leases.close();
	}

	private Decision decide(OperationPolicy policy, Submission submission) {
		OutcomeCache.Entry near = this.cache.find(submission.key());
		if (near != null) {
			return near.fingerprint().equals(submission.fingerprint())
					? completed(policy, submission.key(), near.outcome(), near.attempt())
					: new Decision.Refused(Refusal.KEY_REUSED);
		}
		ClaimRequest request = request(policy, submission);
		long now = System.nanoTime();
		try {
			ClaimResult result = claim(policy, request);
			return (result instanceof ClaimResult.InProgress && policy.whenInProgress() == WhenInProgress.WAIT)
					? await(policy, submission, request) : decide(policy, submission, request, result, now);
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
		AtomicLong asked = new AtomicLong();
		try {
			ClaimResult result = this.waitRoom.await(request.key(), policy.waitTimeout(), () -> {
				asked.set(System.nanoTime());
				return claim(policy, request.whileListening());
			});
			return (result != null) ? decide(policy, submission, request, result, asked.get())
					: new Decision.Refused(Refusal.IN_PROGRESS);
		}
		catch (StoreUnavailableException ex) {
			// Somebody was at it when the store last answered: never run it beside.
			this.store.refused(policy.operation(), ex);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
	}

	private Decision decide(OperationPolicy policy, Submission submission, ClaimRequest request, ClaimResult result,
			long now) {
		if (result instanceof ClaimResult.Granted granted) {
			return granted(policy, submission, request, granted, now);
		}
		if (result instanceof ClaimResult.Unknown) {
			return unknown(policy, submission, request);
		}
		if (result instanceof ClaimResult.Completed completed) {
			this.cache.put(request.key(),
					new OutcomeCache.Entry(request.fingerprint(), completed.outcome(), completed.attempt()),
					completed.retentionLeft());
			return completed(policy, request.key(), completed.outcome(), completed.attempt());
		}
		return new Decision.Refused(refusal(result));
	}

	/**
	 * A tombstone yields to the outcome that the attempt whose receipt it is has kept
	 * there.
	 */
	private Decision completed(OperationPolicy policy, OperationKey key, Outcome recorded, int attempt) {
		boolean replaces = recorded instanceof Outcome.Tombstone && policy.whenCompleted() == WhenCompleted.REPLAY;
		Outcome outcome = replaces ? this.unknown.receipt(policy, key).orElse(recorded) : recorded;
		return Decision.completed(policy, outcome, attempt);
	}

	/**
	 * The receipt is asked before the record is touched: where there is none, the former
	 * owner may still come to its end, and repeats prolong nothing.
	 */
	private Decision unknown(OperationPolicy policy, Submission submission, ClaimRequest request) {
		Outcome committed = this.unknown.receipt(policy, submission.key()).orElse(null);
		if (committed == null) {
			return new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
		}
		long now = System.nanoTime();
		ClaimRequest takeOver = request.takingOver();
		ClaimResult result = claim(policy, takeOver);
		return (result instanceof ClaimResult.Granted granted)
				? this.unknown.happened(policy, kept(policy, takeOver, granted, now), committed)
				: decide(policy, submission, takeOver, result, now);
	}

	private static Refusal refusal(ClaimResult result) {
		if (result instanceof ClaimResult.InProgress) {
			return Refusal.IN_PROGRESS;
		}
		return (result instanceof ClaimResult.KeyReused) ? Refusal.KEY_REUSED : Refusal.TOKEN_UNKNOWN;
	}

	private Decision granted(OperationPolicy policy, Submission submission, ClaimRequest request,
			ClaimResult.Granted granted, long now) {
		Claim claim = kept(policy, request, granted, now);
		if (granted.tookOver()) {
			return this.unknown.resolve(policy, submission, claim);
		}
		this.events.tell(IdempotencyEvent.Type.GRANTED, policy.operation(), request.key());
		return new Decision.Run(claim);
	}

	private Claim kept(OperationPolicy policy, ClaimRequest request, ClaimResult.Granted granted, long now) {
		ClaimId id = new ClaimId(request.key(), request.owner(), request.fingerprint(), granted.attempt());
		Claim claim = new Claim(id, policy, request, this.machinery, now);
		try {
			this.leases.keep(claim);
		}
		catch (Throwable ex) {
			claim.giveBack();
			throw ex;
		}
		return claim;
	}

	private Decision storeFailed(OperationPolicy policy, ClaimRequest request, StoreUnavailableException ex) {
		if (policy.whenStoreFails() == WhenStoreFails.REJECT) {
			this.store.refused(policy.operation(), ex);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
		this.store.ranUnprotected(policy, request.key(), ex);
		this.events.tell(IdempotencyEvent.Type.UNPROTECTED, policy.operation(), request.key());
		return new Decision.RunUnprotected(
				policy.receipt() ? new EffectStatus(request.key(), request.owner(), 0, policy.operation()) : null);
	}

	/**
	 * Claims. Where the store fails in a way that nobody expects, the claim may have been
	 * granted, and is taken back.
	 */
	private ClaimResult claim(OperationPolicy policy, ClaimRequest request) {
		try {
			return claimHeard(policy, request);
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			withdraw(policy, request);
			throw ex;
		}
	}

	/**
	 * Claims, and claims again when the reply was lost: the same owner is recognised, so
	 * nobody is told "duplicate" because of a claim of its own.
	 */
	private ClaimResult claimHeard(OperationPolicy policy, ClaimRequest request) {
		try {
			return this.store.claim(request);
		}
		catch (StoreUnavailableException lost) {
			return claimAgain(policy, request, lost);
		}
	}

	private ClaimResult claimAgain(OperationPolicy policy, ClaimRequest request, StoreUnavailableException lost) {
		AtomicBoolean maybeGranted = new AtomicBoolean(lost.mayHaveTakenEffect());
		try {
			return this.retry.<ClaimResult>invoke(() -> claimOnce(request, maybeGranted));
		}
		catch (StoreUnavailableException again) {
			again.addSuppressed(lost);
			if (maybeGranted.get()) {
				withdraw(policy, request);
			}
			throw again;
		}
	}

	private ClaimResult claimOnce(ClaimRequest request, AtomicBoolean maybeGranted) {
		try {
			return this.store.claim(request);
		}
		catch (StoreUnavailableException ex) {
			if (ex.mayHaveTakenEffect()) {
				maybeGranted.set(true);
			}
			throw ex;
		}
	}

	/**
	 * Takes back what may have been granted unheard: nothing runs under it.
	 */
	private void withdraw(OperationPolicy policy, ClaimRequest request) {
		ClaimId unheard = new ClaimId(request.key(), request.owner(), request.fingerprint(), 0);
		this.leases.retryLater(
				new PendingWrite(unheard, policy.operation(), new ClaimCompletion.Withdrawn(request, false), null));
	}

	private ClaimRequest request(OperationPolicy policy, Submission submission) {
		Duration retention = (submission.keyLife().compareTo(policy.retention()) > 0) ? submission.keyLife()
				: policy.retention();
		return new ClaimRequest(submission.key(), Owner.draw(this.random), submission.fingerprint(), policy.lease(),
				retention, submission.admission(),
				(policy.whenUnknown() == WhenUnknown.REJECT) ? ClaimRequest.Lapsed.LEAVE
						: ClaimRequest.Lapsed.TAKE_OVER,
				(policy.whenCompleted() == WhenCompleted.BURN) ? ClaimRequest.Term.BURNT : ClaimRequest.Term.LEASED,
				false);
	}

}
