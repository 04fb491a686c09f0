package io.idempotent.webmvc.internal.submission;

import io.idempotent.WhenCompleted;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Ending.Plain;
import io.idempotent.store.Outcome;
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

/** Classifies how a request ended: by handler method, response or exception. */
final class ResponseClassifier {

	private static final Log logger = LogFactory.getLog(ResponseClassifier.class);

	private final Operation operation;

	private final SubmissionContext context;

	private final SubmissionProgress progress;

	private final DeferredResponse response;

	private final HttpSubmission.Services services;

	private final HttpServletRequest request;

	private final @Nullable Throwable thrown;

	/** The body of the response, or {@code null} if it was not kept. */
	private byte @Nullable [] body;

	/** What was reported, until a receipt contradicts it. */
	private Ending reported = Plain.STILL_RUNNING;

	/** {@code thrown} is the exception that ended the request, or {@code null}. */
	ResponseClassifier(HttpSubmission submission, HttpSubmission.Services services, HttpServletRequest request,
			@Nullable Throwable thrown) {
		this.operation = submission.operation();
		this.context = submission.context();
		this.progress = submission.progress();
		this.response = submission.response();
		this.services = services;
		this.request = request;
		this.thrown = thrown;
	}

	/**
	 * How the claim ends. Whatever fails here, an operation that has returned is not run
	 * again.
	 */
	Ending ending(Claim claim) {
		try {
			if (!this.progress.isTimedOut() || this.progress.hasReturned()) {
				this.body = this.response.body(this.request.getMethod().equals("HEAD"));
				Ending found = classify(claim);
				this.reported = counts(found) ? found : Plain.STILL_RUNNING;
			}
			return this.reported;
		}
		catch (RuntimeException | Error ex) {
			if (this.progress.hasReturned()) {
				claim.end(new Ending.Completed(Outcome.TOMBSTONE));
			}
			throw ex;
		}
	}

	/**
	 * After a time-out the operation may still run: then only a success counts, which the
	 * application has answered in its place.
	 */
	private boolean counts(Ending ending) {
		return !this.progress.isTimedOut() || ending instanceof Ending.Completed;
	}

	/** What a repeat gets, or {@code null} if the response stands. */
	@Nullable Outcome contradiction(Claim claim) {
		boolean saysNoEffect = this.reported == Plain.NO_EFFECT
				|| (this.reported instanceof Ending.RecordedError error && error.saysNoEffect());
		boolean contradicts = saysNoEffect || (this.reported != Plain.SKIPPED && this.context.isDuplicate());
		boolean replaceable = this.body != null && this.thrown == null && !this.response.isRefusal()
				&& this.response.isRecordable();
		return (contradicts && replaceable) ? claim.proven() : null;
	}

	/** By handler method first, then the application's classifier, then the status. */
	private Ending classify(Claim claim) {
		if (this.progress.hasNotStarted()) {
			return Plain.NOT_STARTED;
		}
		if (this.progress.isSkipped()) {
			return Plain.SKIPPED;
		}
		if (!this.response.isRecordable()) {
			return effectUnlessRolledBack();
		}
		if (!this.progress.hasReturned() && this.response.isClientGone()) {
			return Plain.UNKNOWN;
		}
		if (this.thrown != null) {
			// Spring Security's filter answers a denial with another status.
			return (replaysError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR) && !MethodSecurity.isDenial(this.thrown))
					? new Ending.RecordedError(outcome(), false) : failure();
		}
		OutcomeClassifier custom = this.services.classifier();
		OutcomeClass classified = (custom != null) ? classify(custom) : null;
		if (classified == null) {
			return byStatus(this.response.getStatus(), claim);
		}
		return switch (classified) {
			case EFFECT -> new Ending.Completed(outcome());
			case NO_EFFECT -> Plain.NO_EFFECT;
			case UNKNOWN -> Plain.UNKNOWN;
		};
	}

	private @Nullable OutcomeClass classify(OutcomeClassifier custom) {
		try {
			return custom.classify(this.operation.name(),
					new Response(this.response.getStatus(), this.response.getContentType(), this.body));
		}
		catch (RuntimeException ex) {
			logger.error("The OutcomeClassifier failed for a response of operation '" + this.operation.name()
					+ "': its status " + this.response.getStatus() + " decides whether the operation took effect", ex);
			return null;
		}
	}

	private Ending byStatus(int status, Claim claim) {
		if (replaysError(status)) {
			return new Ending.RecordedError(outcome(), status / 100 == 4);
		}
		if (isRangeNotSatisfiable(status)) {
			return effectUnlessRolledBack();
		}
		// A refusal by this library is not the operation's statement about its effect.
		if (status / 100 == 4 && !(this.response.isRefusal() && claim.tookEffect())) {
			return Plain.NO_EFFECT;
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

	private Ending effectUnlessRolledBack() {
		return this.progress.isRolledBack() ? failure() : new Ending.Completed(outcome());
	}

	private Ending failure() {
		return this.progress.isEffectUnknown() ? Plain.UNKNOWN : Plain.FAILED;
	}

	private Outcome outcome() {
		if (this.body == null || !this.response.isRecordable() || !this.context.storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		try {
			return this.response.outcome(this.request, this.thrown, this.body, this.services.settings()::replays);
		}
		catch (RuntimeException ex) {
			logger.warn(
					"The response of operation '" + this.operation.name() + "' (key " + this.context.submission().key()
							+ ") cannot be stored: the operation is recorded as completed without its response",
					ex);
			return Outcome.TOMBSTONE;
		}
	}

}
