package io.idempotent.webmvc.internal.submission;

import io.idempotent.WhenCompleted;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.End.Unanswered;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import io.idempotent.webmvc.OutcomeClassifier.Response;
import io.idempotent.webmvc.internal.operation.MethodSecurity;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Classifies how a request ended: by handler method, response or exception.
 *
 * @param thrown the exception that ended the request, or {@code null}
 */
record ResponseClassifier(Operation operation, DecidedSubmission decided, Progress progress, DeferredResponse response,
		HttpSubmission.Services services, HttpServletRequest request, @Nullable Throwable thrown) {

	private static final Log logger = LogFactory.getLog(ResponseClassifier.class);

	/**
	 * How the claim ends. Whatever fails here, an operation that has returned is not run
	 * again.
	 */
	End end() {
		if (isLeftRunning()) {
			return Unanswered.UNOBSERVED;
		}
		try {
			End found = classify();
			// The operation may still run: then only a success counts.
			return (!this.progress.mayStillRun() || found instanceof End.Completed) ? found : Unanswered.UNOBSERVED;
		}
		catch (RuntimeException | Error ex) {
			logger.error("The response of " + this.decided + " could not be classified", ex);
			return this.progress.hasReturned() ? new End.Completed(Outcome.TOMBSTONE) : Unanswered.UNOBSERVED;
		}
	}

	private boolean isLeftRunning() {
		return this.progress.mayStillRun() && !this.progress.hasReturned();
	}

	/** Whether a receipt contradicts a response that can still be replaced. */
	boolean contradicts(End reported) {
		boolean saysNoEffect = reported == Unanswered.NO_EFFECT
				|| (reported instanceof End.RecordedError error && error.saysNoEffect());
		boolean contradicts = saysNoEffect || (reported != Unanswered.SKIPPED && this.decided.isDuplicate());
		return contradicts && !isLeftRunning() && this.thrown == null && this.response.isHeld()
				&& !this.response.isRefusal() && this.response.isRecordable();
	}

	private byte @Nullable [] body() {
		return this.response.body(this.request.getMethod().equals("HEAD"));
	}

	/** By handler method first, then the application's classifier, then the status. */
	private End classify() {
		if (!this.progress.hasStarted()) {
			return Unanswered.NOT_STARTED;
		}
		if (this.progress.isSkipped()) {
			return Unanswered.SKIPPED;
		}
		if (!this.response.isRecordable()) {
			return effectUnlessRolledBack();
		}
		if (!this.progress.hasReturned() && this.response.isClientGone()) {
			return Unanswered.UNKNOWN;
		}
		if (this.thrown != null) {
			// Spring Security's filter answers a denial with another status.
			return (replaysError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR) && !MethodSecurity.isDenial(this.thrown))
					? new End.RecordedError(outcome(), false) : failure();
		}
		OutcomeClassifier custom = this.services.classifier();
		OutcomeClass classified = (custom != null) ? classify(custom) : null;
		if (classified == null) {
			return byStatus(this.response.getStatus());
		}
		return switch (classified) {
			case EFFECT -> new End.Completed(outcome());
			case NO_EFFECT -> Unanswered.NO_EFFECT;
			case UNKNOWN -> Unanswered.UNKNOWN;
		};
	}

	private @Nullable OutcomeClass classify(OutcomeClassifier custom) {
		try {
			return custom.classify(this.operation.name(),
					new Response(this.response.getStatus(), this.response.getContentType(), body()));
		}
		catch (RuntimeException ex) {
			logger.error("The OutcomeClassifier failed for a response of operation '" + this.operation.name()
					+ "': its status " + this.response.getStatus() + " decides whether the operation took effect", ex);
			return null;
		}
	}

	private End byStatus(int status) {
		if (replaysError(status)) {
			return new End.RecordedError(outcome(), status / 100 == 4);
		}
		if (isRangeNotSatisfiable(status)) {
			return effectUnlessRolledBack();
		}
		// A refusal by this library is not the operation's statement about its effect.
		if (status / 100 == 4 && !(this.response.isRefusal() && this.decided.decision().tookEffect())) {
			return Unanswered.NO_EFFECT;
		}
		// An exception remains a failure if a handler turns it into a 200.
		return (this.progress.hasReturned() && status / 100 != 5) ? effectUnlessRolledBack() : failure();
	}

	/** Whether an error is the operation's own response and is to be replayed. */
	private boolean replaysError(int status) {
		return !this.response.isRefusal() && this.operation.replayErrors().contains(status);
	}

	/** Spring MVC checks ranges after the method has returned: this 416 is no failure. */
	private boolean isRangeNotSatisfiable(int status) {
		return status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE && this.progress.hasReturned()
				&& this.request.getHeader(HttpHeaders.RANGE) != null;
	}

	private End effectUnlessRolledBack() {
		return this.decided.transactions().isRolledBack() ? failure() : new End.Completed(outcome());
	}

	private End failure() {
		return this.progress.isEffectUnknown() ? Unanswered.UNKNOWN : Unanswered.FAILED;
	}

	private Outcome outcome() {
		if (!this.response.isRecordable() || !this.decided.context().storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		try {
			byte[] body = body();
			return (body != null)
					? this.response.outcome(this.request, this.thrown, body, this.services.settings()::replays)
					: Outcome.TOMBSTONE;
		}
		catch (RuntimeException ex) {
			logger.warn("The response of " + this.decided
					+ " cannot be stored: the operation is recorded as completed without its response", ex);
			return Outcome.TOMBSTONE;
		}
	}

}
