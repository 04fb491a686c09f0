package io.idempotent.webmvc.internal.submission;

import io.idempotent.WhenCompleted;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Report;
import io.idempotent.submission.Report.Kind;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import io.idempotent.webmvc.OutcomeClassifier.Response;
import io.idempotent.webmvc.internal.operation.MethodSecurity;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.HandlerCall.Observation;
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
record ResponseClassifier(Operation operation, DecidedSubmission decided, HandlerCall call, Observation observed,
		HttpReplay replay, DeferredResponse response, HttpSubmission.HttpServices services, HttpServletRequest request,
		@Nullable Throwable thrown) {

	private static final Log logger = LogFactory.getLog(ResponseClassifier.class);

	/** Whatever fails here, an operation that has returned is not run again. */
	Report report() {
		boolean mayStillRun = this.observed == Observation.NOT_AWAITED;
		if (mayStillRun && !this.call.hasReturned()) {
			return Report.UNOBSERVED;
		}
		try {
			Report found = classify();
			// The operation may still run: then only a success counts.
			return (!mayStillRun || found.isEffect()) ? found : Report.UNOBSERVED;
		}
		catch (RuntimeException | Error ex) {
			logger.error("The response of " + this.decided + " could not be classified", ex);
			return this.call.hasReturned() ? Report.effect(Outcome.TOMBSTONE) : Report.UNOBSERVED;
		}
	}

	/** Whether a receipt contradicts a response that can still be replaced. */
	boolean contradicts(Report report) {
		boolean contradicts = report.saysNoEffect()
				|| (report.kind() != Kind.NOT_RUN && this.decided.isWithoutAnswer());
		return contradicts && !this.replay.isDenied() && this.thrown == null && this.response.isHeld()
				&& !this.response.isRefusal() && this.response.isRecordable();
	}

	private byte @Nullable [] body() {
		return this.response.body(this.request.getMethod().equals("HEAD"));
	}

	/** By handler method first, then the application's classifier, then the status. */
	private Report classify() {
		if (!this.call.hasStarted() || this.call.isSkipped()) {
			return Report.NOT_RUN;
		}
		if (this.replay.isDenied()) {
			// The application denies an answer, and not that the operation took effect.
			return failure();
		}
		if (!this.response.isRecordable()) {
			return (this.call.hasFailed() || this.decided.isWithoutAnswer()) ? failure() : effectUnlessRolledBack();
		}
		if (!this.call.hasReturned() && this.response.isClientGone()) {
			return Report.UNKNOWN;
		}
		if (this.thrown != null) {
			// Spring Security's filter answers a denial with another status.
			return (replaysError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR) && !MethodSecurity.isDenial(this.thrown))
					? Report.error(outcome(), false) : failure();
		}
		OutcomeClassifier custom = this.services.classifier();
		OutcomeClass classified = (custom != null) ? classify(custom) : null;
		if (classified == null) {
			return byStatus(this.response.getStatus());
		}
		return switch (classified) {
			case EFFECT -> Report.effect(outcome());
			// An exception remains a failure if a handler turns it into a 200.
			case NO_EFFECT ->
				(this.call.hasReturned() || this.response.getStatus() >= 400) ? Report.NO_EFFECT : failure();
			case UNKNOWN -> Report.UNKNOWN;
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

	private Report byStatus(int status) {
		boolean ofMethod = !this.call.hasStatusOfOthers();
		if (ofMethod && replaysError(status)) {
			return Report.error(outcome(), status / 100 == 4);
		}
		if (isRangeNotSatisfiable(status)) {
			return effectUnlessRolledBack();
		}
		if (ofMethod && status / 100 == 4 && !isRefusedInside()) {
			return Report.NO_EFFECT;
		}
		return (this.call.hasReturned() && status / 100 != 5) ? effectUnlessRolledBack() : failure();
	}

	/** A refusal of a call or lock inside the operation says nothing of its effect. */
	private boolean isRefusedInside() {
		return this.response.isRefusal() && (this.decided.hasBegun() || this.decided.decision().tookEffect());
	}

	/** Whether an error is the operation's own response and is to be replayed. */
	private boolean replaysError(int status) {
		return !this.response.isRefusal() && this.observed != Observation.EFFECT_UNKNOWN
				&& this.operation.replayErrors().contains(status);
	}

	/** Spring MVC checks ranges after the method has returned: this 416 is no failure. */
	private boolean isRangeNotSatisfiable(int status) {
		return status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE && this.call.hasReturned()
				&& this.request.getHeader(HttpHeaders.RANGE) != null;
	}

	private Report effectUnlessRolledBack() {
		return this.decided.transactions().isRolledBack() ? failure() : Report.effect(outcome());
	}

	private Report failure() {
		return (this.observed == Observation.EFFECT_UNKNOWN) ? Report.UNKNOWN : Report.FAILED;
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
