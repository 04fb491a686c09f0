package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.store.Outcome;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the claim of its key to the response.
 * Several threads may use it.
 */
public final class HttpSubmission {

	private static final Log logger = LogFactory.getLog(HttpSubmission.class);

	private final Operation operation;

	private final ReadRequest read;

	private final DeferredResponse response;

	private final Services services;

	private final SubmissionContext context;

	private volatile Progress progress = Progress.NOT_STARTED;

	/** The application allows a replay. */
	private volatile boolean authorized;

	/** The container no longer waits for the result; the operation may still run. */
	private volatile boolean timedOut;

	/** {@code null} until the key is claimed. */
	private volatile @Nullable DecidedSubmission decided;

	/** The response of an earlier attempt, if it is replayed. */
	private volatile @Nullable StoredResponse stored;

	/** A failure leaves open whether the operation took effect. */
	private volatile boolean effectUnknown;

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, Services services) {
		this.operation = operation;
		this.read = read;
		this.response = response;
		this.services = services;
		this.context = new SubmissionContext(operation.policy());
	}

	/** Finds the submission of a request, or {@code null} if it is none. */
	public static @Nullable HttpSubmission find(HttpServletRequest request) {
		SubmissionRequest found = SubmissionRequest.find(request);
		return (found != null) ? found.submission() : null;
	}

	public Operation operation() {
		return this.operation;
	}

	public SubmissionContext context() {
		return this.context;
	}

	public DeferredResponse response() {
		return this.response;
	}

	public boolean isUndecided() {
		return this.decided == null;
	}

	/** Whether a call of the handler method starts the operation. */
	public boolean mayStart() {
		return this.progress.mayStart();
	}

	public boolean hasStarted() {
		return this.progress.hasStarted();
	}

	public boolean hasFailed() {
		return this.progress == Progress.FAILED;
	}

	boolean isTimedOut() {
		return this.timedOut;
	}

	boolean isEffectUnknown() {
		return this.effectUnknown;
	}

	/** Whether the condition is met. If not, the call is not protected. */
	public boolean appliesTo(@Nullable Object[] arguments) throws IOException {
		KeyExpression condition = this.operation.condition();
		if (condition == null || !isUndecided()
				|| condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			return true;
		}
		advance((now) -> now.starting(Progress.UNPROTECTED));
		this.response.pass();
		return false;
	}

	/**
	 * Claims the key once: for each attempt of a retry advice the first decision counts.
	 * {@code arguments} are {@code null} before the handler method is called.
	 */
	public DecidedSubmission decide(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		DecidedSubmission known = this.decided;
		DecidedSubmission decided = (known != null) ? known : claim(request, arguments);
		findReplay(decided, request);
		announce(decided.decision().retentionLeft(), request);
		throwIfRefused(decided);
		return decided;
	}

	private DecidedSubmission claim(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		Submission submission = this.services.reader().submission(this.operation, this.read, request, arguments);
		DecidedSubmission decided = this.services.gate()
			.enter(Entrance.HTTP, this.context, submission, this::isReplayedError);
		this.decided = decided;
		if (decided.decision().claim() != null) {
			this.response.startBuffering(this.services.settings().maxResponseBody());
		}
		return decided;
	}

	/** A classifier may have taken an error for an effect. */
	private boolean isReplayedError(Outcome.Stored answer) {
		return this.services.classifier() == null
				&& this.operation.replayErrors().contains(StoredResponse.status(answer.answer()));
	}

	/** Once the application allows it; {@code null} if there is none. */
	private @Nullable StoredResponse findReplay(DecidedSubmission decided, HttpServletRequest request) {
		if (isDenied(decided)) {
			this.services.replays().authorize(decided, request);
			this.authorized = true;
		}
		if (this.stored == null && decided.decision() instanceof Decision.Replay replay) {
			this.stored = this.services.replays().customize(Replays.read(decided, replay.answer()), decided, request);
		}
		return this.stored;
	}

	/** Until the application allows the replay. */
	private boolean isDenied(DecidedSubmission decided) {
		return decided.context().isReplay() && !this.authorized;
	}

	private void announce(Duration remembered, HttpServletRequest request) {
		this.services.replays().announce(remembered, this.operation, request, this.response);
	}

	private void throwIfRefused(DecidedSubmission decided) {
		if (decided.decision() instanceof Decision.Refused refused) {
			throw this.operation.policy().refuse(refused.reason());
		}
	}

	/** Rebuilds a result, unless the receipt has its response, which is replayed. */
	public @Nullable RecoveredResult recoverResult(DecidedSubmission decided, @Nullable Object[] arguments) {
		replayFromReceipt(decided);
		RecoveredResult result = this.operation.recover(decided.submission(), arguments);
		if (result != null) {
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		return result;
	}

	/** Leaves the call if the receipt of another attempt has the response. */
	private void replayFromReceipt(DecidedSubmission decided) {
		Outcome.Stored answer = decided.keptAnswer();
		if (answer != null) {
			replays(answer, decided);
			throw new ReplayException();
		}
	}

	private void replays(Outcome.Stored answer, DecidedSubmission decided) {
		this.stored = Replays.read(decided, answer);
		decided.markRebuilt();
	}

	public void started() {
		advance((now) -> now.starting(Progress.RUNNING));
	}

	/** Its lock was not obtained. */
	public void skipped() {
		ended(Progress.SKIPPED);
	}

	public void returned() {
		ended(Progress.RETURNED);
	}

	private void ended(Progress end) {
		advance((now) -> now.ended(end));
	}

	/** Returns the progress before. */
	private synchronized Progress advance(UnaryOperator<Progress> step) {
		Progress before = this.progress;
		this.progress = step.apply(before);
		return before;
	}

	public void failed(Throwable thrown) {
		ended(Progress.FAILED);
		observeFailure((thrown instanceof ReplayException) ? null : thrown);
	}

	/** It failed, or fails, in a way that leaves open whether it took effect. */
	public void effectUnknown() {
		this.effectUnknown = true;
	}

	/** The result of a duplicate does not count, however it handled the refusal. */
	public void resumed(@Nullable Object result) {
		DecidedSubmission decided = this.decided;
		if (decided == null || !decided.isDuplicate()) {
			ended((result instanceof Throwable) ? Progress.FAILED : Progress.RETURNED);
			observeFailure((result instanceof Throwable thrown) ? thrown : null);
			return;
		}
		ended(Progress.FAILED);
		replayFromReceipt(decided);
		throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, this.operation.name());
	}

	private void observeFailure(@Nullable Throwable thrown) {
		DecidedSubmission decided = this.decided;
		if (decided != null) {
			decided.failed(thrown);
		}
	}

	/** Notes the outcome at once, since Spring MVC's observation of the request stops. */
	public void timedOut(HttpServletRequest request) {
		this.timedOut = true;
		DecidedSubmission decided = this.decided;
		if (decided != null && decided.decision().claim() != null && decided.isObserved()) {
			request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, SubmissionOutcome.LEFT_UNKNOWN.code());
		}
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.progress == Progress.RUNNING) {
			this.timedOut = true;
		}
	}

	/** The response becomes a refusal. */
	public void refused(SubmissionRefusedException refused) {
		observeFailure(refused);
		this.response.startRefusal();
	}

	/**
	 * The handler adapter has returned; false if nothing protected the call. If an aspect
	 * called the method on another thread or answered itself, its response stands.
	 */
	public boolean handled(HttpServletRequest request) {
		DecidedSubmission decided = this.decided;
		if (decided != null) {
			throwIfRefused(decided);
			if (isDenied(decided)) {
				// An aspect has answered in spite of a denial.
				this.response.restart();
			}
			if (findReplay(decided, request) != null) {
				throw new ReplayException();
			}
		}
		Progress before = advance(Progress::handled);
		return decided != null || before != Progress.NOT_STARTED;
	}

	/**
	 * Spring MVC got an exception. If the operation had returned, only its response
	 * failed, and is not recorded.
	 */
	public void handlingFailed() {
		handlingFailed(this.progress);
	}

	private void handlingFailed(Progress now) {
		if (now.hasReturned()) {
			this.response.neverRecord();
		}
		this.response.reopen();
	}

	/** Writes the stored response, if there is one that the caller may see. */
	public boolean writeReplay(HttpServletRequest request) throws IOException {
		DecidedSubmission decided = this.decided;
		StoredResponse found = (decided != null) ? findReplay(decided, request) : null;
		if (decided == null || found == null) {
			return false;
		}
		Replays replays = this.services.replays();
		// That of a receipt was found in the call, which may have another thread.
		StoredResponse sent = (decided.decision() instanceof Decision.Replay) ? found
				: replays.customize(found, decided, request);
		replays.write(sent, request, this.response);
		return true;
	}

	/**
	 * Records the outcome, then sends the response; throws if the client has
	 * disconnected, after recording. Further calls do nothing.
	 */
	public void finish(HttpServletRequest request, @Nullable Throwable thrown) throws IOException {
		Progress last = advance((now) -> Progress.FINISHED);
		if (last == Progress.FINISHED) {
			return;
		}
		if (thrown != null) {
			handlingFailed(last);
		}
		DecidedSubmission decided = this.decided;
		if (decided != null) {
			record(decided, new ResponseClassifier(this, last, decided, this.services, request, thrown), request);
		}
		if (thrown != null) {
			this.response.discard();
		}
		else {
			this.response.send();
		}
	}

	private void record(DecidedSubmission decided, ResponseClassifier classifier, HttpServletRequest request) {
		try {
			decided.end(classifier::end, (claim, reported) -> {
				Outcome proven = classifier.contradicts(reported) ? claim.proven() : null;
				if (proven != null) {
					answerAsDuplicate(decided, proven, request);
				}
				announceAfter(claim, request);
			});
		}
		finally {
			if (decided.isObserved()) {
				request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, decided.outcome());
			}
		}
	}

	/** Sends what a repeat gets, since the receipt contradicts the response. */
	private void answerAsDuplicate(DecidedSubmission decided, Outcome proven, HttpServletRequest request) {
		decided.failed(null);
		this.response.restart();
		try {
			if (proven instanceof Outcome.Stored answer) {
				replays(answer, decided);
				writeReplay(request);
			}
			else {
				SubmissionRefusedException refused = decided.refuse(this.operation.policy().refusalOfDuplicate());
				refused(refused);
				this.services.refusals().render(refused, request, this.response);
			}
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive what a repeat gets", disconnected);
		}
	}

	/**
	 * With the response, unless that was sent before. Not more than the policy's
	 * retention: receipts may be the only record, and are kept no longer.
	 */
	private void announceAfter(Claim claim, HttpServletRequest request) {
		if (this.response.isHeld()) {
			Duration retention = this.operation.policy().retention();
			announce((claim.remembered().compareTo(retention) < 0) ? claim.remembered() : retention, request);
		}
	}

	/** What all submissions share. */
	public record Services(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
			@Nullable OutcomeClassifier classifier, Replays replays, RefusalWriter refusals) {
	}

}
