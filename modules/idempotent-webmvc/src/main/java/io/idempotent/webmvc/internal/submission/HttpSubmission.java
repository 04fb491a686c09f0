package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionOutcome;
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

	private volatile Doubt doubt = Doubt.NONE;

	private volatile @Nullable AllowedReplay replay;

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
		return this.context.decided() == null;
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

	/** Claims the key before the handler method is called. */
	public DecidedSubmission decide(HttpServletRequest request) {
		return decide(request, () -> this.services.reader().submission(this.operation, this.read, request));
	}

	/** Claims the key in the call, unless that was done before. */
	public DecidedSubmission decideInCall(HttpServletRequest request, @Nullable Object[] arguments) {
		return decide(request,
				() -> this.services.reader().submissionInCall(this.operation, this.read, request, arguments));
	}

	/** For each attempt of a retry advice the first decision counts. */
	private DecidedSubmission decide(HttpServletRequest request, Supplier<Submission> submission) {
		DecidedSubmission known = this.context.decided();
		DecidedSubmission decided = (known != null) ? known : claim(submission.get());
		prepareReplay(decided, request);
		announce(decided.decision().retentionLeft(), request);
		throwIfRefused(decided);
		return decided;
	}

	private DecidedSubmission claim(Submission submission) {
		DecidedSubmission decided = this.services.gate()
			.enter(Entrance.HTTP, this.context, submission, this::isReplayedError);
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

	/** Once, as soon as the application allows it. */
	private void prepareReplay(DecidedSubmission decided, HttpServletRequest request) {
		if (isAwaitingPermission(decided)) {
			Replays replays = this.services.replays();
			replays.authorize(decided, request);
			this.replay = new AllowedReplay((decided.decision() instanceof Decision.Replay replay)
					? replays.customize(Replays.read(decided, replay.answer()), decided, request) : null);
		}
	}

	private boolean isAwaitingPermission(DecidedSubmission decided) {
		return decided.context().isReplay() && this.replay == null;
	}

	/** The response of an earlier attempt, if it is replayed. */
	private @Nullable StoredResponse stored() {
		AllowedReplay allowed = this.replay;
		return (allowed != null) ? allowed.response() : null;
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
		this.replay = new AllowedReplay(Replays.read(decided, answer));
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

	public void threw(Throwable thrown) {
		ended(Progress.FAILED);
		observeThrown((thrown instanceof ReplayException) ? null : thrown);
	}

	/** It failed, or fails, in a way that leaves open whether it took effect. */
	public void effectUnknown() {
		doubt(Doubt.EFFECT);
	}

	private synchronized void doubt(Doubt more) {
		if (more.compareTo(this.doubt) > 0) {
			this.doubt = more;
		}
	}

	/** The result of a duplicate does not count, however it handled the refusal. */
	public void resumed(@Nullable Object result) {
		DecidedSubmission decided = this.context.decided();
		if (decided == null || !decided.isDuplicate()) {
			ended((result instanceof Throwable) ? Progress.FAILED : Progress.RETURNED);
			observeThrown((result instanceof Throwable thrown) ? thrown : null);
			return;
		}
		ended(Progress.FAILED);
		replayFromReceipt(decided);
		throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, this.operation.name());
	}

	private void observeThrown(@Nullable Throwable thrown) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			decided.observeThrown(thrown);
		}
	}

	/** Notes the outcome at once, since Spring MVC's observation of the request stops. */
	public void timedOut(HttpServletRequest request) {
		doubt(Doubt.WHETHER_ENDED);
		DecidedSubmission decided = this.context.decided();
		if (decided != null && decided.decision().claim() != null && decided.isObserved()) {
			request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, SubmissionOutcome.LEFT_UNKNOWN.code());
		}
	}

	/** The request ends early: as after a time-out, if the operation still runs. */
	public void leftRunning() {
		if (this.progress == Progress.RUNNING) {
			doubt(Doubt.WHETHER_ENDED);
		}
	}

	/** The response becomes a refusal. */
	public void refused(SubmissionRefusedException refused) {
		observeThrown(refused);
		this.response.startRefusal();
	}

	/**
	 * The handler adapter has returned; false if nothing protected the call. If an aspect
	 * called the method on another thread or answered itself, its response stands.
	 */
	public boolean handled(HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			throwIfRefused(decided);
			if (isAwaitingPermission(decided)) {
				// An aspect has answered in spite of a denial.
				this.response.restart();
				prepareReplay(decided, request);
			}
			if (stored() != null) {
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
		DecidedSubmission decided = this.context.decided();
		StoredResponse found = stored();
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
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			record(decided, new ResponseClassifier(this.operation, decided, last, this.doubt, this.response,
					this.services, request, thrown), request);
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
			decided.end(classifier::end, (reported, remembered) -> {
				Outcome proven = classifier.contradicts(reported) ? decided.proven() : null;
				if (proven != null) {
					answerAsDuplicate(decided, proven, request);
				}
				announceAfter(remembered, request);
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
		decided.observeThrown(null);
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
	private void announceAfter(Duration remembered, HttpServletRequest request) {
		if (this.response.isHeld()) {
			Duration retention = this.operation.policy().retention();
			announce((remembered.compareTo(retention) < 0) ? remembered : retention, request);
		}
	}

	/** What all submissions share. */
	public record Services(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
			@Nullable OutcomeClassifier classifier, Replays replays, RefusalWriter refusals) {
	}

	/**
	 * The application allows a replay.
	 *
	 * @param response of an earlier attempt; {@code null} if it is to be rebuilt
	 */
	private record AllowedReplay(@Nullable StoredResponse response) {
	}

	/** What is not known of its end; each outweighs those before. */
	enum Doubt {

		NONE,

		/** A failure leaves open whether the operation took effect. */
		EFFECT,

		/** The container no longer waits for the result; the operation may still run. */
		WHETHER_ENDED

	}

}
