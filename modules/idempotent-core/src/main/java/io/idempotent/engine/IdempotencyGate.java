package io.idempotent.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.Refusal;
import io.idempotent.engine.NextStep.Action;
import io.idempotent.engine.NextStep.Decided;
import io.idempotent.engine.NextStep.TookEffect;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.claim.EarlyClaim;
import io.idempotent.engine.claim.EarlyClaims;
import io.idempotent.engine.claim.Ending;
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
import org.jspecify.annotations.Nullable;

/**
 * The state machine of idempotent operations: asks the near cache, the store, the receipt
 * and the application about a submission, waits for their answers, and does what
 * {@link NextStep} concludes from them.
 *
 * <pre>
 * absent ──issue──▶ ISSUED ──claim──▶ IN_PROGRESS ──complete──▶ COMPLETED ──retention──▶ absent
 *    └──────────claim (no token needed)────▲  │ └─release──▶ where it came from
 *                                             └─lease lapses──▶ UNKNOWN ──policy──▶ claim again | refused
 * </pre>
 *
 * <p>
 * Safe for use by several threads. {@link #enter} blocks for a call of the store, which
 * is repeated once if its reply is lost, or for the time that its policy allows if it
 * waits. Close the gate after the last operation has ended and before the store is
 * closed.
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

	private final AskedApplication application;

	IdempotencyGate(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, SubmissionObserver observer,
			OperationReceipts receipts, Claims claims, WaitRoom waitRoom, @Nullable OutcomeVerifier verifier) {
		this.store = store;
		this.cache = cache;
		this.listeners = listeners;
		this.observer = observer;
		this.receipts = receipts;
		this.claims = claims;
		this.waitRoom = waitRoom;
		this.application = new AskedApplication(verifier);
	}

	public OperationReceipts receipts() {
		return this.receipts;
	}

	public IdempotencyListeners listeners() {
		return this.listeners;
	}

	public SubmissionObserver observer() {
		return this.observer;
	}

	/** Blocks for one round trip; throws a {@link StoreUnavailableException}. */
	public void issue(OperationKey key, Duration timeToLive) {
		this.store.issue(key, timeToLive);
	}

	/**
	 * Checks whether the store accepts writes. Blocks for one round trip; throws a
	 * {@link StoreUnavailableException} if the store does not answer or refuses.
	 */
	public void checkStore(OperationKey unused, Duration timeToLive) {
		this.store.check(unused, timeToLive);
	}

	/** Makes no remote call. */
	public GateStatus status() {
		boolean failing = this.store.isFailing();
		return new GateStatus(this.claims.running().size(), this.waitRoom.waiting(), this.claims.countPending(),
				this.claims.pendingBytes(), failing, failing ? this.store.refused() : 0,
				failing ? this.store.unprotected() : 0);
	}

	/** Never throws because of the store. A claim in the decision must be ended. */
	public Decision enter(OperationPolicy policy, Submission submission) {
		return announced(policy, submission, decide(policy, submission));
	}

	/** Of a claim that was made before. */
	public Decision enter(OperationPolicy policy, Submission submission, EarlyClaim early) {
		NextStep next = NextStep.afterClaim(policy, early.answer(), false);
		return announced(policy, submission, (early.claim() != null) ? granted(policy, submission, early.claim(), next)
				: answered(policy, submission, early.request(), 0, early.answer(), next));
	}

	/** Never throws because of the store. What is not taken must be closed. */
	public EarlyClaims claimEarly(OperationPolicy policy, List<Submission> submissions) {
		return EarlyClaims.make(this.claims, policy, submissions);
	}

	private Decision announced(OperationPolicy policy, Submission submission, Decision decision) {
		if (decision instanceof Decision.Refused refused) {
			this.listeners.refused(policy, submission.key(), refused.reason());
		}
		else if (decision instanceof Decision.Replay) {
			this.listeners.replayed(policy, submission.key());
		}
		return decision;
	}

	public Stream<OperationKey> runningKeys() {
		return this.claims.running().stream().map(Claim::key);
	}

	public boolean isRunning(OperationKey key, Owner owner) {
		return this.claims.running().stream().anyMatch((claim) -> claim.isOf(key, owner));
	}

	/** Retries the outcomes that the store has not accepted yet, once, now. */
	public void flush() {
		this.claims.flush();
	}

	@Override
	public void close() {
		this.claims.close();
	}

	private Decision decide(OperationPolicy policy, Submission submission) {
		OutcomeCache.Entry cached = this.cache.find(submission.key());
		if (cached == null) {
			return claim(policy, submission);
		}
		ClaimResult.Completed done = cached.found();
		return completed(policy, submission, done, NextStep.afterCacheHit(policy, submission, cached, done));
	}

	private Decision claim(OperationPolicy policy, Submission submission) {
		ClaimRequest request = this.claims.request(policy, submission);
		boolean waits = false;
		try {
			long requestedAt = System.nanoTime();
			ClaimResult answer = this.claims.claim(policy, request);
			NextStep next = NextStep.afterClaim(policy, answer, true);
			waits = next == Action.WAIT;
			return waits ? await(policy, submission, request)
					: answered(policy, submission, request, requestedAt, answer, next);
		}
		catch (StoreUnavailableException ex) {
			return storeFailed(policy, request, waits, ex);
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
		ClaimResult answer = this.waitRoom.await(request.key(), policy.waitTimeout(), policy.retention(), () -> {
			requestedAt.set(System.nanoTime());
			return this.claims.claim(policy, request.whileListening());
		});
		return (answer != null) ? answered(policy, submission, request, requestedAt.get(), answer,
				NextStep.afterClaim(policy, answer, false)) : new Decision.Refused(Refusal.IN_PROGRESS);
	}

	private Decision answered(OperationPolicy policy, Submission submission, ClaimRequest request, long requestedAt,
			ClaimResult answer, NextStep next) {
		if (answer instanceof ClaimResult.Granted granted) {
			return granted(policy, submission, this.claims.open(policy, submission, request, granted, requestedAt),
					next);
		}
		if (answer instanceof ClaimResult.Completed completed) {
			this.cache.put(request.key(), OutcomeCache.Entry.of(submission.fingerprint(), completed, requestedAt),
					completed.retentionLeft());
			return completed(policy, submission, completed, next);
		}
		return (next instanceof Decided decided) ? decided.decision() : lapsed(policy, submission, request);
	}

	private Decision completed(OperationPolicy policy, Submission submission, ClaimResult.Completed done,
			NextStep next) {
		if (next instanceof Decided decided) {
			return decided.decision();
		}
		Outcome outcome = this.receipts.find(policy, submission.key(), submission.fingerprint()).orElse(done.outcome());
		return Decision.completed(policy, done.as(outcome));
	}

	private Decision granted(OperationPolicy policy, Submission submission, Claim claim, NextStep first) {
		NextStep next = (first == Action.FIND_RECEIPT) ? afterReceipt(policy, submission, true) : first;
		if (next == Action.ASK_APPLICATION) {
			next = NextStep.afterVerdict(this.application.ask(policy, submission, claim));
		}
		if (next instanceof TookEffect effect) {
			return tookEffect(policy, claim, effect.outcome());
		}
		return switch ((Action) next) {
			case RUN -> run(policy, claim, false);
			case RERUN -> run(policy, claim, true);
			case LEAVE_UNKNOWN -> {
				claim.end(Ending.Plain.UNKNOWN);
				yield new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
			}
			case WAIT, FIND_RESULT, FIND_RECEIPT, ASK_APPLICATION, RUN_UNPROTECTED ->
				throw new IllegalStateException("A claim that was granted leads to " + next);
		};
	}

	private NextStep afterReceipt(OperationPolicy policy, Submission submission, boolean claimed) {
		return NextStep.afterReceipt(policy, claimed,
				this.receipts.resolve(policy, submission.key(), submission.fingerprint()).orElse(null));
	}

	private Decision run(OperationPolicy policy, Claim claim, boolean again) {
		this.listeners.publish(again ? IdempotencyEvent.Type.RERUN : IdempotencyEvent.Type.GRANTED, policy.operation(),
				claim.key());
		return new Decision.Run(claim, again);
	}

	/** Takes the lapsed claim over only if a receipt proves its effect. */
	private Decision lapsed(OperationPolicy policy, Submission submission, ClaimRequest request) {
		NextStep next = afterReceipt(policy, submission, false);
		if (next instanceof Decided decided) {
			return decided.decision();
		}
		long requestedAt = System.nanoTime();
		ClaimRequest takeOver = request.takingOver();
		ClaimResult answer = this.claims.claim(policy, takeOver);
		return (answer instanceof ClaimResult.Granted granted)
				? tookEffect(policy, this.claims.open(policy, submission, takeOver, granted, requestedAt),
						((TookEffect) next).outcome())
				: answered(policy, submission, takeOver, requestedAt, answer,
						NextStep.afterClaim(policy, answer, false));
	}

	/** The answer is rebuilt under the claim, or the claim ends. */
	private static Decision tookEffect(OperationPolicy policy, Claim claim, Outcome outcome) {
		claim.tookEffectBefore(outcome);
		if (Decision.rebuilds(policy, outcome)) {
			return new Decision.Recover(claim, claim.attempt(), Duration.ZERO);
		}
		claim.end(new Ending.Completed(outcome));
		return Decision.completed(policy,
				new ClaimResult.Completed(outcome, claim.attempt(), claim.remembered(), null));
	}

	private Decision storeFailed(OperationPolicy policy, ClaimRequest request, boolean waited,
			StoreUnavailableException ex) {
		NextStep next = NextStep.afterOutage(policy, waited, Thread.currentThread().isInterrupted());
		if (next instanceof Decided decided) {
			this.store.countRefusal(policy.operation(), ex);
			return decided.decision();
		}
		this.store.ranUnprotected(policy, request.key(), ex);
		this.listeners.publish(IdempotencyEvent.Type.UNPROTECTED, policy.operation(), request.key());
		return new Decision.RunUnprotected(this.receipts.proof(policy,
				new OperationAttempt(request.key(), request.owner(), 0, policy.operation(), request.fingerprint())));
	}

}
