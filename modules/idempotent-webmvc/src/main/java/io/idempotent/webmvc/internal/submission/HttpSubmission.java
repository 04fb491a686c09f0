package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.observation.SubmissionObservationContext.Entrance;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import io.idempotent.webmvc.internal.submission.HttpReplay.ReplayException;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the claim of its key to the response.
 * Several threads may use it.
 */
public record HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, HttpServices services,
		SubmissionContext context, HttpReplay replay, Progress progress) {

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, HttpServices services) {
		this(operation, read, response, services, new SubmissionContext(operation.policy()),
				new HttpReplay(operation, response, services), new Progress());
	}

	/** Finds the submission of a request, or {@code null} if it is none. */
	public static @Nullable HttpSubmission find(HttpServletRequest request) {
		SubmissionRequest found = SubmissionRequest.find(request);
		return (found != null) ? found.submission() : null;
	}

	/** Whether the condition is met. If not, the call is not protected. */
	public boolean appliesTo(@Nullable Object[] arguments) throws IOException {
		KeyExpression condition = this.operation.condition();
		if (condition == null || this.context.decided() != null
				|| condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			return true;
		}
		this.progress.unprotected();
		this.response.passThrough();
		return false;
	}

	/** Claims the key before the handler method is called. */
	public void decide(HttpServletRequest request) {
		admit(claim(this.services.reader().submission(this.operation, this.read, request)), request);
	}

	/** Decides for a call of the handler method, unless that was done before. */
	public DecidedSubmission enterCall(HttpServletRequest request, @Nullable Object[] arguments) {
		DecidedSubmission known = this.context.decided();
		return admit(
				(known != null) ? known
						: claim(this.services.reader().submissionInCall(this.operation, this.read, request, arguments)),
				request);
	}

	/** Throws if it is refused, or if the application does not permit its answer. */
	private DecidedSubmission admit(DecidedSubmission decided, HttpServletRequest request) {
		this.replay.prepare(decided, request);
		announce(decided.decision().retentionLeft(), request);
		throwIfRefused(decided);
		return decided;
	}

	private static void throwIfRefused(DecidedSubmission decided) {
		if (decided.decision() instanceof Decision.Refused refused) {
			throw decided.refuse(refused.reason());
		}
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

	/** A denied replay remains the outcome. */
	public void threw(Throwable thrown) {
		this.progress.failed();
		if (!this.replay.isDenied()) {
			observeThrown((thrown instanceof ReplayException) ? null : thrown);
		}
	}

	/** The result of a duplicate does not count, however it handled the refusal. */
	public void resumed(@Nullable Object result, HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null && decided.isWithoutAnswer()) {
			this.progress.failed();
			this.replay.leaveIfKept(decided, decided.committedAnswer(), request);
			throw new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE, this.operation.name());
		}
		if (decided != null && decided.isRebuilt() && !this.replay.isStored()) {
			this.replay.permitRebuilt(decided, request);
		}
		if (result instanceof Throwable thrown) {
			threw(thrown);
		}
		else {
			this.progress.returned();
			observeThrown(null);
		}
	}

	/**
	 * A filter or interceptor has answered instead, such as for a session that has ended:
	 * the result tells how the operation ended, unless it is that of a time-out.
	 */
	public void answeredByOthers(@Nullable Object result) {
		if (this.progress.hasFailed() || this.progress.mayStillRun()) {
			return;
		}
		this.response.neverRecord();
		if (result instanceof Throwable thrown) {
			threw(thrown);
		}
		else {
			this.progress.returned();
			this.progress.answered();
		}
	}

	private void observeThrown(@Nullable Throwable thrown) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			decided.observeThrown(thrown);
		}
	}

	/** The response becomes a refusal. */
	public void refused(SubmissionRefusedException refused) {
		observeThrown(refused);
		this.response.startRefusal();
	}

	/** Whether the handler adapter has returned, and nothing has protected the call. */
	public boolean isUnclaimed() {
		return this.context.decided() == null && this.progress.isUnnoticed();
	}

	/**
	 * The handler adapter has returned. If an aspect called the method on another thread
	 * or answered itself, its response stands, unless it is a replay.
	 */
	public void handled(HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			throwIfRefused(decided);
			if (this.replay.isAwaitingPermission(decided)) {
				// An aspect has answered in spite of a denial.
				this.response.clear();
				this.replay.prepare(decided, request);
			}
			if (this.replay.isStored()) {
				throw new ReplayException();
			}
		}
		this.progress.answered();
	}

	/**
	 * Spring MVC got an exception. If the operation had returned, only its response
	 * failed, and is not recorded.
	 */
	public void handlingFailed() {
		if (this.progress.hasReturned()) {
			this.response.neverRecord();
		}
		this.response.uncommit();
	}

	/**
	 * Records the outcome, then sends the response; throws if the client has
	 * disconnected, after recording. Further calls do nothing.
	 */
	public void finish(HttpServletRequest request, @Nullable Throwable thrown) throws IOException {
		if (!this.progress.finish()) {
			return;
		}
		if (thrown != null) {
			handlingFailed();
		}
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			record(decided, new ResponseClassifier(this.operation, decided, this.progress, this.replay, this.response,
					this.services, request, thrown), request);
		}
		if (thrown != null) {
			this.response.discardBuffered();
		}
		else {
			this.response.sendBuffered();
		}
	}

	private void record(DecidedSubmission decided, ResponseClassifier classifier, HttpServletRequest request) {
		decided.end(classifier::report, (report, remembered) -> {
			Outcome proven = classifier.contradicts(report) ? decided.decision().proven() : null;
			if (proven != null) {
				this.replay.answerAsDuplicate(decided, proven, request);
			}
			if (this.response.isHeld()) {
				announce(remembered, request);
			}
		});
	}

	/** Says how long a header key is remembered; zero if that is not known. */
	private void announce(Duration remembered, HttpServletRequest request) {
		if (!remembered.isZero() && this.services.reader().isFoundByHeader(this.operation, request)) {
			this.response.announce(HttpSettings.TTL_HEADER, Long.toString(remembered.toSeconds()));
		}
	}

	/**
	 * The token of the form field that this response, as it is now, releases: that of a
	 * 4xx response that is not replayed. {@code null} if there is none, it expires soon,
	 * or an {@link OutcomeClassifier} decides.
	 */
	public @Nullable String releasedToken(HttpServletRequest request) {
		DecidedSubmission decided = this.context.decided();
		int status = this.response.getStatus();
		boolean released = decided != null && decided.decision().claim() != null && !decided.decision().tookEffect()
				&& this.services.classifier() == null && !this.response.isRefusal() && status / 100 == 4
				&& !this.operation.replayErrors().contains(status)
				&& (decided.hasBegun() || decided.decision().endWithoutRun().equals(End.RELEASED));
		return (released && this.services.reader().isFresh(this.read.token())
				&& request.getHeader(this.services.settings().tokenHeader()) == null) ? this.read.key() : null;
	}

	/** What all submissions share. */
	public record HttpServices(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
			@Nullable OutcomeClassifier classifier, @Nullable ReplayAuthorizer authorizer, RefusalWriter refusals) {
	}

}
