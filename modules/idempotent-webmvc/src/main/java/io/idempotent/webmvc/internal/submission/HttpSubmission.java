package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;

import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import io.idempotent.webmvc.internal.submission.HandlerCall.Observation;
import io.idempotent.webmvc.internal.submission.HttpReplay.ReplayException;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the claim of its key to the response.
 * Several threads may use it. Its steps, each of which needs what the one before returns:
 * <ol>
 * <li>match: {@code Operations.find} returns the {@link Operation} of the request.
 * <li>read: {@code SubmissionReader.read} returns caller, key and fingerprint, a
 * {@link ReadRequest}.
 * <li>decide: {@link #decide} or, if the claim has to wait for the call,
 * {@link #enterCall} returns a {@link DecidedSubmission}.
 * <li>run: {@link DecidedSubmission#run} returns the result of the handler method.
 * <li>classify: {@link ResponseClassifier#report} returns a {@code Report}.
 * <li>record: {@link DecidedSubmission#end} passes on for how long it is remembered.
 * <li>send: {@link DeferredResponse#sendBuffered}. Only this one reaches the client.
 * </ol>
 * The last three are {@link #finish}. Between decision and classification, the
 * {@link HandlerCall} notes what others report. {@link HttpReplay} matters to repeats.
 */
public record HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, HttpServices services,
		SubmissionContext context, HttpReplay replay, HandlerCall call, AsyncTask task) {

	public static HttpSubmission of(Operation operation, ReadRequest read, SubmissionRequest request,
			HttpServices services) {
		DeferredResponse response = request.response();
		SubmissionContext context = new SubmissionContext(operation.policy());
		HttpReplay replay = new HttpReplay(operation, response, services);
		HandlerCall call = new HandlerCall(context, response, replay);
		return new HttpSubmission(operation, read, response, services, context, replay, call,
				new AsyncTask(call, request));
	}

	/** Finds the submission of a request, or {@code null} if it is none. */
	public static @Nullable HttpSubmission find(HttpServletRequest request) {
		SubmissionRequest found = SubmissionRequest.find(request);
		return (found != null) ? found.submission() : null;
	}

	/** Claims the key before the handler method is called. */
	public void decide(HttpServletRequest request) {
		admit(claim(this.services.reader().submission(this.operation, this.read, request)), request);
	}

	/**
	 * Decides for a call of the handler method, unless that was done before, and notes
	 * that it runs. Returns {@code null} if the operation does not apply to the call,
	 * which then runs unprotected.
	 */
	public @Nullable DecidedSubmission enterCall(HttpServletRequest request, @Nullable Object[] arguments)
			throws IOException {
		DecidedSubmission known = this.context.decided();
		KeyExpression condition = (known == null) ? this.operation.condition() : null;
		if (condition != null && !condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			this.call.start(false);
			this.response.passThrough();
			return null;
		}
		DecidedSubmission decided = (known != null) ? known
				: claim(this.services.reader().submissionInCall(this.operation, this.read, request, arguments));
		admit(decided, request);
		if (decided.decision() instanceof Decision.Replay) {
			throw new ReplayException();
		}
		this.call.start(true);
		return decided;
	}

	/** Throws if it is refused, or if the application does not permit its answer. */
	private void admit(DecidedSubmission decided, HttpServletRequest request) {
		this.replay.requirePermission(decided, request);
		announce(decided.decision().retentionLeft(), request);
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

	/**
	 * Records the outcome, then sends the response; throws if the client has
	 * disconnected, after recording. Further calls do nothing.
	 */
	public void finish(HttpServletRequest request, @Nullable Throwable thrown) throws IOException {
		Observation observed = this.call.finish(this.task.hasReturned());
		if (observed == null) {
			return;
		}
		if (thrown != null) {
			this.call.processingFailed();
		}
		DecidedSubmission decided = this.context.decided();
		if (decided != null) {
			record(decided, new ResponseClassifier(this.operation, decided, this.call, observed, this.replay,
					this.response, this.services, request, thrown), request);
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
			Claim claim = decided.decision().claim();
			Outcome proven = (claim != null && classifier.contradicts(report)) ? claim.proven() : null;
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
