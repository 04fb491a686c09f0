package io.idempotent.webmvc.internal.submission;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Claim;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.StoredResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Records the outcome of an operation when its request ends, by ending its claim, and
 * reads a recorded response.
 */
public final class OutcomeRecorder {

	private static final Log logger = LogFactory.getLog(OutcomeRecorder.class);

	private final HttpSettings settings;

	private final @Nullable OutcomeClassifier classifier;

	public OutcomeRecorder(HttpSettings settings, @Nullable OutcomeClassifier classifier) {
		this.settings = settings;
		this.classifier = classifier;
	}

	/**
	 * Ends a claim. Whatever fails here, an operation that has returned is not run again.
	 * After a time-out the operation may still run, so its claim is only left to expire.
	 * @param claim the claim
	 * @param context what the operation asked for
	 * @param end how the request ended
	 * @return what a repeat gets, if the response contradicts it; {@code null} if the
	 * response stands
	 */
	@Nullable Outcome record(Claim claim, SubmissionContext context, HttpSubmissionEnd end) {
		try {
			return end.progress().isTimedOut() ? null : endClaim(claim, context, end);
		}
		catch (RuntimeException | Error ex) {
			if (end.progress().hasReturned()) {
				claim.complete(Outcome.TOMBSTONE, context.retention(claim));
			}
			throw ex;
		}
		finally {
			// Does nothing if the claim has ended; otherwise it would be renewed for
			// ever.
			claim.stopRenewing();
		}
	}

	/**
	 * Reads the response that was recorded for an operation.
	 * @param operation the operation
	 * @param key its key
	 * @param outcome its outcome
	 * @throws SubmissionRefusedException if it cannot be read
	 */
	StoredResponse read(Operation operation, OperationKey key, Outcome.Stored outcome) {
		try {
			return StoredResponse.decode(outcome.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored response of operation '" + operation.name() + "' (key " + key
					+ ") cannot be read: this submission and its repeats are refused with 500 until the record expires",
					ex);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, operation.name());
		}
	}

	/**
	 * Whether a recorded response is an error that is replayed because no effect was
	 * known. A classifier may have taken an error for an effect.
	 * @param operation the operation
	 * @param response the response
	 */
	boolean isReplayedError(Operation operation, StoredResponse response) {
		return this.classifier == null && operation.replayErrors().contains(response.status());
	}

	private @Nullable Outcome endClaim(Claim claim, SubmissionContext context, HttpSubmissionEnd end) {
		byte @Nullable [] body = end.response().body(end.request().getMethod().equals("HEAD"));
		HttpSubmissionEnd.Kind kind = end.classify(body, claim::tookEffect, this.classifier);
		if (kind == HttpSubmissionEnd.Kind.NOT_STARTED) {
			claim.giveBack();
			return null;
		}
		if (kind == HttpSubmissionEnd.Kind.SKIPPED) {
			claim.wasNotRun();
			return null;
		}
		claim.rememberFor(context.retention(claim));
		switch (kind) {
			case EFFECT -> claim.complete(outcome(context, end, body), claim.retention());
			case NO_EFFECT -> claim.release();
			case ERROR -> claim.completeWithError(outcome(context, end, body), end.saysNoEffect(kind));
			case FAILED -> claim.fail();
			default -> claim.abandon();
		}
		boolean contradicts = end.saysNoEffect(kind) || context.isDuplicate();
		return (contradicts && body != null && end.isReplaceable()) ? claim.proven() : null;
	}

	private Outcome outcome(SubmissionContext context, HttpSubmissionEnd end, byte @Nullable [] body) {
		if (body == null || !end.response().isRecordable() || !context.storesAnswer()
				|| end.operation().policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		try {
			return end.response().outcome(end.request(), end.thrown(), body, this.settings::replays);
		}
		catch (RuntimeException ex) {
			logger.warn("The response of operation '" + end.operation().name() + "' (key " + context.submission().key()
					+ ") cannot be stored: the operation is recorded as completed without its response", ex);
			return Outcome.TOMBSTONE;
		}
	}

}
