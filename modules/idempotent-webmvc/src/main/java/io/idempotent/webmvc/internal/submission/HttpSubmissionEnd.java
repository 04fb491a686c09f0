package io.idempotent.webmvc.internal.submission;

import java.util.function.BooleanSupplier;

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
 * How a request to an operation ended, and the function that classifies it.
 *
 * @param operation the operation
 * @param progress how far the handler method has come
 * @param response the response
 * @param request the request
 * @param thrown the exception that ended the request, or {@code null}
 */
record HttpSubmissionEnd(Operation operation, SubmissionProgress progress, DeferredResponse response,
		HttpServletRequest request, @Nullable Throwable thrown) {

	private static final Log logger = LogFactory.getLog(HttpSubmissionEnd.class);

	/**
	 * What the end of a request means for the record of its operation.
	 */
	enum Kind {

		/** The handler method was not called: the next submission runs. */
		NOT_STARTED,

		/** The handler method was not run for want of a lock: the next one runs. */
		SKIPPED,

		/** It took effect: the record is completed. */
		EFFECT,

		/** It took no effect: the next submission runs. */
		NO_EFFECT,

		/** It answered with an error that is replayed, unless it took effect. */
		ERROR,

		/** It failed: its receipt or {@link io.idempotent.WhenFailed} decides. */
		FAILED,

		/** Unknown: {@link io.idempotent.WhenUnknown} decides. */
		UNKNOWN

	}

	/**
	 * Classifies the end: first by what the handler method did, then by the application's
	 * classifier, then by the status.
	 * @param body the body of the response, or {@code null} if it was not kept
	 * @param tookEffect whether the operation is known to have taken effect
	 * @param custom the classifier of the application, or {@code null}
	 */
	Kind classify(byte @Nullable [] body, BooleanSupplier tookEffect, @Nullable OutcomeClassifier custom) {
		if (this.progress.hasNotStarted()) {
			return Kind.NOT_STARTED;
		}
		if (this.progress.isSkipped()) {
			return Kind.SKIPPED;
		}
		if (!this.response.isRecordable()) {
			return effectUnlessRolledBack();
		}
		if (!this.progress.hasReturned() && this.response.isClientGone()) {
			return Kind.UNKNOWN;
		}
		if (this.thrown != null) {
			// Spring Security's filter answers a denial with another status.
			return (replaysError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR) && !MethodSecurity.isDenial(this.thrown))
					? Kind.ERROR : failure();
		}
		OutcomeClass classified = (custom != null) ? classify(custom, body) : null;
		if (classified == null) {
			return byStatus(this.response.getStatus(), tookEffect);
		}
		return switch (classified) {
			case EFFECT -> Kind.EFFECT;
			case NO_EFFECT -> Kind.NO_EFFECT;
			case UNKNOWN -> Kind.UNKNOWN;
		};
	}

	private @Nullable OutcomeClass classify(OutcomeClassifier custom, byte @Nullable [] body) {
		try {
			return custom.classify(this.operation.name(),
					new Response(this.response.getStatus(), this.response.getContentType(), body));
		}
		catch (RuntimeException ex) {
			logger.error("The OutcomeClassifier failed for a response of operation '" + this.operation.name()
					+ "': its status " + this.response.getStatus() + " decides whether the operation took effect", ex);
			return null;
		}
	}

	private Kind byStatus(int status, BooleanSupplier tookEffect) {
		if (replaysError(status)) {
			return Kind.ERROR;
		}
		if (isRangeNotSatisfiable(status)) {
			return effectUnlessRolledBack();
		}
		// A refusal by this library is not the operation's statement about its effect.
		if (status / 100 == 4 && !(this.response.isRefusal() && tookEffect.getAsBoolean())) {
			return Kind.NO_EFFECT;
		}
		// An exception remains a failure if a handler turns it into a 200.
		return (this.progress.hasReturned() && status / 100 != 5) ? effectUnlessRolledBack() : failure();
	}

	/**
	 * Whether the response says that nothing took effect.
	 * @param kind the kind of this end
	 */
	boolean saysNoEffect(Kind kind) {
		return kind == Kind.NO_EFFECT
				|| (kind == Kind.ERROR && this.thrown == null && this.response.getStatus() / 100 == 4);
	}

	/**
	 * Whether the response can still be replaced by what a repeat gets.
	 */
	boolean isReplaceable() {
		return this.thrown == null && !this.response.isRefusal() && this.response.isRecordable();
	}

	/**
	 * Whether an error is the operation's own response and is to be replayed.
	 */
	private boolean replaysError(int status) {
		return !this.response.isRefusal() && this.operation.replayErrors().contains(status);
	}

	/**
	 * Whether the status is about the range that the client asked for. Spring MVC checks
	 * the range after the operation has returned, so this 416 is no failure of it.
	 */
	private boolean isRangeNotSatisfiable(int status) {
		return status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE && this.progress.hasReturned()
				&& this.request.getHeader(HttpHeaders.RANGE) != null;
	}

	private Kind effectUnlessRolledBack() {
		return this.progress.isRolledBack() ? failure() : Kind.EFFECT;
	}

	private Kind failure() {
		return this.progress.isEffectUnknown() ? Kind.UNKNOWN : Kind.FAILED;
	}

}
