package io.idempotent.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.OutcomeVerifier;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Claims;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.event.SubmissionObservation;
import io.idempotent.engine.event.WatchedStore;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of idempotent operations: asks the near cache, the store, the receipt
 * and the application about a submission, and waits for their answers.
 *
 * <pre>
 * absent ──issue──▶ ISSUED ──claim──▶ IN_PROGRESS ──complete──▶ COMPLETED ──retention──▶ absent
 *    └──────────claim (no token needed)────▲  │ └─release──▶ where it came from
 *                                             └─lease lapses──▶ UNKNOWN ──policy──▶ claim again | refused
 * </pre>
 *
 * <p>
 * Safe for use by several threads. To enter it blocks for a call of the store, which is
 * repeated once if its reply is lost, or for the time that its policy allows if it waits.
 * Close the gate after the last operation has ended and before the store is closed.
 */
public final class IdempotencyGate implements AutoCloseable {

	private final Services services;

	IdempotencyGate(Services services) {
		this.services = services;
	}

	/** Blocks for one round trip; throws a {@link StoreUnavailableException}. */
	public void issue(OperationKey key, Duration timeToLive) {
		this.services.store().issue(key, timeToLive);
	}

	/**
	 * Checks whether the store accepts writes. Blocks for one round trip; throws a
	 * {@link StoreUnavailableException} if the store does not answer or refuses.
	 */
	public void checkStore(OperationKey unused, Duration timeToLive) {
		this.services.store().check(unused, timeToLive);
	}

	/** Tells the log that the store failed before a submission needed it. */
	public void storeFailed(String reason) {
		this.services.store().failed(reason);
	}

	/** Makes no remote call. */
	public Status status() {
		Claims claims = this.services.claims();
		WatchedStore store = this.services.store();
		boolean failing = store.isFailing();
		return new Status(claims.running().size(), this.services.waitRoom().waiting(), claims.countPending(),
				claims.pendingBytes(), failing, failing ? store.refused() : 0, failing ? store.unprotected() : 0);
	}

	/**
	 * Decides on a submission, which must be ended. Never throws because of the store. If
	 * it throws, the submission may be entered again. If its stored answer is an error, a
	 * receipt may still prove an effect.
	 */
	public DecidedSubmission enter(Entrance entrance, SubmissionContext context, Submission submission,
			Predicate<Outcome.Stored> isError) {
		return begin(entrance, context, submission, null,
				() -> new Decider(this.services, context.policy(), submission, isError).decide());
	}

	/** Enters a submission that may have been claimed early, and stores no errors. */
	public DecidedSubmission enter(Entrance entrance, SubmissionContext context, Submission submission,
			@Nullable EarlyClaims early) {
		return begin(entrance, context, submission, null, () -> {
			Decider decider = decider(context.policy(), submission);
			Decision taken = (early != null) ? early.take(submission.key()) : null;
			return (taken != null) ? decider.announced(taken) : decider.decide();
		});
	}

	/** Enters a repeat of a submission with the same key, which decides on it. */
	public DecidedSubmission enterRepeat(Entrance entrance, SubmissionContext context, Submission submission,
			DecidedSubmission earlier, Supplier<Decision> decide) {
		return begin(entrance, context, submission, earlier, decide);
	}

	private DecidedSubmission begin(Entrance entrance, SubmissionContext context, Submission submission,
			@Nullable DecidedSubmission earlier, Supplier<Decision> decide) {
		SubmissionObservation observation = this.services.listeners().start(context.operation(), entrance);
		try {
			DecidedSubmission decided = new DecidedSubmission(this.services, context, submission, observation,
					decide.get(), earlier);
			context.decided(decided);
			return decided;
		}
		catch (Throwable ex) {
			observation.failed(ex);
			observation.end(SubmissionOutcome.UNDECIDED.code());
			throw ex;
		}
	}

	/** Reports the refusal of a submission without a key. */
	public void refusedWithoutKey(SubmissionRefusedException refused) {
		this.services.listeners().refusedWithoutKey(refused.operation(), refused.refusal());
	}

	/** Gives the code of its outcome; {@code null} if nothing observes it. */
	public @Nullable String refusedWithoutKey(SubmissionRefusedException refused, Entrance entrance) {
		refusedWithoutKey(refused);
		SubmissionObservation observation = this.services.listeners().start(refused.operation(), entrance);
		observation.end(refused.refusal().code());
		return (observation != SubmissionObservation.NONE) ? refused.refusal().code() : null;
	}

	/** Never throws because of the store. What is not taken must be closed. */
	public EarlyClaims claimEarly(OperationPolicy policy, List<Submission> submissions) {
		return EarlyClaims.make(submissions, (each) -> decider(policy, each).decideEarly());
	}

	private Decider decider(OperationPolicy policy, Submission submission) {
		return new Decider(this.services, policy, submission, (answer) -> false);
	}

	public Stream<OperationKey> runningKeys() {
		return this.services.claims().running().stream().map(Claim::key);
	}

	public boolean isRunning(OperationKey key, Owner owner) {
		return this.services.claims().running().stream().anyMatch((claim) -> claim.isOf(key, owner));
	}

	/** Retries the outcomes that the store has not accepted yet, once, now. */
	public void flush() {
		this.services.claims().flush();
	}

	@Override
	public void close() {
		this.services.claims().close();
	}

	/**
	 * The current activity of a gate, for metrics and health. {@code refused} and
	 * {@code unprotected} count submissions since the store fails, and are 0 if it works.
	 */
	public record Status(int running, int waiting, int pendingWrites, long pendingBytes, boolean storeFails,
			long refused, long unprotected) {
	}

	/** What all submissions share. */
	record Services(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
			Claims claims, WaitRoom waitRoom, @Nullable OutcomeVerifier verifier) {
	}

}
