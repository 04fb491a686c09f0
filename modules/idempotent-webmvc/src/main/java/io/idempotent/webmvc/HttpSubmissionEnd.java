package io.idempotent.webmvc;

import io.idempotent.WhenCompleted;
import io.idempotent.engine.Claim;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.store.Outcome;
import io.idempotent.webmvc.OutcomeClassifier.Answer;
import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The end of an exchange: what its answer means for the record of the operation.
 *
 * @param operation the operation
 * @param entrance classifies answers
 * @param context what the operation asked for
 * @param response its answer
 * @param progress how far it has come
 */
record HttpSubmissionEnd(Operation operation, HttpSubmitter entrance, SubmissionContext context,
		DeferredResponse response, SubmissionProgress progress) {

	private static final Log logger = LogFactory.getLog(HttpSubmissionEnd.class);

	/** What the container makes of an exception that nobody handles. */
	private static final int SC_INTERNAL_SERVER_ERROR = 500;

	/**
	 * Records what became of the operation. Whatever fails on the way, an operation that
	 * has returned is not run again.
	 * @param running its claim
	 * @param request the request
	 * @param thrown what the request ended with, or {@code null}
	 */
	void record(Claim running, HttpServletRequest request, @Nullable Throwable thrown) {
		try {
			if (!this.progress.isTimedOut()) {
				end(running, request, thrown);
			}
		}
		catch (RuntimeException | Error ex) {
			if (this.progress.hasReturned()) {
				running.complete(Outcome.TOMBSTONE, running.retention());
			}
			throw ex;
		}
		finally {
			// Nothing after an end; but what nobody ends would be renewed for ever.
			running.stopRenewing();
		}
	}

	private void end(Claim running, HttpServletRequest request, @Nullable Throwable thrown) {
		if (this.progress.hasNotBegun()) {
			running.giveBack();
			return;
		}
		if (this.progress.isSkipped()) {
			running.wasNotRun();
			return;
		}
		running.rememberFor(this.context.retention(running));
		BufferedResponse held = this.response.held();
		byte[] body = (held != null) ? held.body(request.getMethod().equals("HEAD")) : null;
		OutcomeClass told = classify(running, request, thrown, body);
		if (told == null) {
			failed(running);
			return;
		}
		switch (told) {
			case EFFECT -> running.complete(outcome(request, thrown, held, body), running.retention());
			case NO_EFFECT -> running.release();
			case UNKNOWN -> running.abandon();
		}
	}

	/**
	 * What it answers is not what it did: its receipt may know.
	 */
	private void failed(Claim running) {
		if (this.progress.isUnsure()) {
			running.abandon();
		}
		else {
			running.fail();
		}
	}

	/**
	 * What the answer says of the operation; nothing if it failed.
	 */
	private @Nullable OutcomeClass classify(Claim running, HttpServletRequest request, @Nullable Throwable thrown,
			byte @Nullable [] body) {
		if (this.progress.isAnswerLost()) {
			return effectUnlessRolledBack();
		}
		if (!this.progress.hasReturned() && this.response.isClientGone()) {
			return OutcomeClass.UNKNOWN;
		}
		if (thrown != null) {
			return replaysError(SC_INTERNAL_SERVER_ERROR) ? OutcomeClass.EFFECT : null;
		}
		OutcomeClass told = this.entrance.classify(this.operation.name(),
				new Answer(this.response.getStatus(), this.response.getContentType(), body));
		return (told != null) ? told : byStatus(running, request, this.response.getStatus());
	}

	/**
	 * Whether an error that the operation answered is recorded. A refusal of ours is none
	 * of its.
	 */
	private boolean replaysError(int status) {
		return !this.progress.isRefused() && this.operation.replayErrors().contains(status);
	}

	private @Nullable OutcomeClass byStatus(Claim running, HttpServletRequest request, int status) {
		if (replaysError(status)) {
			return OutcomeClass.EFFECT;
		}
		if (isAboutRange(request, status)) {
			return effectUnlessRolledBack();
		}
		// A refusal of ours is not the word of the operation on what it did.
		if (status / 100 == 4 && !(this.progress.isRefused() && running.tookEffect())) {
			return OutcomeClass.NO_EFFECT;
		}
		// An exception that was turned into "200 with an error code" is an exception.
		return (this.progress.hasReturned() && status / 100 != 5) ? effectUnlessRolledBack() : null;
	}

	/**
	 * Whether the operation returned and the status speaks of the range that the client
	 * asked for. Spring MVC looks at the range when the operation is done, so that
	 * clients could have any operation answer 416.
	 */
	private boolean isAboutRange(HttpServletRequest request, int status) {
		return status == HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE && this.progress.hasReturned()
				&& request.getHeader(HttpHeaders.RANGE) != null;
	}

	private @Nullable OutcomeClass effectUnlessRolledBack() {
		return this.progress.isRolledBack() ? null : OutcomeClass.EFFECT;
	}

	private Outcome outcome(HttpServletRequest request, @Nullable Throwable thrown, @Nullable BufferedResponse held,
			byte @Nullable [] body) {
		if (held == null || body == null || this.progress.isAnswerLost() || !this.context.storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		try {
			return (thrown != null) ? ResponseOutcome.ofError(SC_INTERNAL_SERVER_ERROR)
					: ResponseOutcome.of(request, held, body, this.entrance.settings());
		}
		catch (RuntimeException ex) {
			logger
				.warn("The answer of operation '" + this.operation.name() + "' (key " + this.context.submission().key()
						+ ") cannot be recorded: the operation is recorded as done without its answer", ex);
			return Outcome.TOMBSTONE;
		}
	}

}
