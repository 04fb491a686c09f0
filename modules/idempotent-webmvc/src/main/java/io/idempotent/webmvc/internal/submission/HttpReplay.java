package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Decision;
import io.idempotent.engine.Lifecycle;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Submission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.webmvc.ReplayCustomizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The stored response that a submission gets, if it gets one. */
final class HttpReplay {

	private static final Log logger = LogFactory.getLog(HttpReplay.class);

	private final Operation operation;

	private final Lifecycle lifecycle;

	private final HttpSubmission.Services services;

	private @Nullable StoredResponse stored;

	private boolean authorized;

	private boolean customized;

	HttpReplay(Operation operation, Lifecycle lifecycle, HttpSubmission.Services services) {
		this.operation = operation;
		this.lifecycle = lifecycle;
		this.services = services;
	}

	/** An error is not replayed if a late commit took effect after it was recorded. */
	Decision correct(Decision decided, Submission submission) {
		if (!(decided instanceof Decision.Replay replay)) {
			return decided;
		}
		StoredResponse answer = read(submission.key(), replay.answer());
		this.stored = answer;
		Outcome proven = isReplayedError(answer) ? this.services.gate()
			.receipts()
			.find(this.operation.policy(), submission.key(), submission.fingerprint())
			.orElse(null) : null;
		if (proven == null) {
			return decided;
		}
		this.stored = (proven instanceof Outcome.Stored kept) ? read(submission.key(), kept) : null;
		Decision corrected = Decision.completed(this.operation.policy(),
				new ClaimResult.Completed(proven, replay.attempt(), replay.retentionLeft(), replay.origin()));
		if (corrected instanceof Decision.Refused refused) {
			this.services.gate().listeners().refused(this.operation.policy(), submission.key(), refused.reason());
		}
		return corrected;
	}

	/** A classifier may have taken an error for an effect. */
	private boolean isReplayedError(StoredResponse response) {
		return this.services.classifier() == null && this.operation.replayErrors().contains(response.status());
	}

	/** Before the submission gets what there is of an earlier attempt. */
	void prepare(HttpServletRequest request, DeferredResponse response) {
		authorize(request);
		customize(request);
		Decision decision = this.lifecycle.decision();
		if (decision != null) {
			announce(decision.retentionLeft(), request, response);
		}
	}

	/**
	 * Says it with the response of the claim, unless that was sent before. Not more than
	 * the policy's retention: receipts may be the only record, and are kept no longer.
	 */
	void ended(Claim claim, HttpServletRequest request, DeferredResponse response) {
		if (response.isHeld()) {
			Duration retention = this.operation.policy().retention();
			announce((claim.remembered().compareTo(retention) < 0) ? claim.remembered() : retention, request, response);
		}
	}

	/** Says how long a header key is remembered; zero if that is not known. */
	private void announce(Duration remembered, HttpServletRequest request, DeferredResponse response) {
		if (this.operation.source() == KeySource.HEADER && !remembered.isZero() && keepsSession(request)) {
			response.announce(HttpSettings.TTL_HEADER, Long.toString(remembered.toSeconds()));
		}
	}

	/** In another session, the key of a repeat is another one, if keys belong to them. */
	private boolean keepsSession(HttpServletRequest request) {
		HttpSession session = request.getSession(false);
		return !this.services.settings().bindToSession()
				|| Objects.equals((session != null) ? session.getId() : null, request.getRequestedSessionId());
	}

	/** Lets the application change the headers, once. */
	private void customize(HttpServletRequest request) {
		List<ReplayCustomizer> customizers = this.services.customizers();
		if (this.stored != null && !this.customized && !customizers.isEmpty()) {
			this.stored = this.stored.withHeaders((headers) -> customizers
				.forEach((customizer) -> customizer.customize(this.lifecycle.context(), request, headers)));
			this.customized = true;
		}
	}

	/** Lets the application refuse a replay. */
	private void authorize(HttpServletRequest request) {
		if (this.lifecycle.context().isReplay() && !this.authorized) {
			try {
				this.services.authorizer().authorize(this.lifecycle.context(), request);
			}
			catch (Throwable ex) {
				this.lifecycle.observation().endsAs(SubmissionOutcome.REPLAY_DENIED);
				throw ex;
			}
			this.authorized = true;
		}
	}

	/** Discards what an aspect has made of a denial. */
	void requireAuthorized(HttpServletRequest request, DeferredResponse response) {
		if (this.lifecycle.context().isReplay() && !this.authorized) {
			response.restart();
			authorize(request);
		}
	}

	/** Leaves the call if the response is kept with the receipt of another attempt. */
	void throwIfKept() {
		if (this.operation.policy().whenCompleted() == WhenCompleted.REPLAY) {
			Submission submission = this.lifecycle.context().submission();
			this.services.gate()
				.receipts()
				.findResult(this.operation.policy(), submission.key(), submission.fingerprint())
				.ifPresent((kept) -> {
					replaysKept(kept);
					throw new ReplayException();
				});
		}
	}

	/** The response is the one that is kept with the receipt. */
	void replaysKept(Outcome.Stored kept) {
		this.stored = read(key(), kept);
		this.customized = false;
		this.lifecycle.context().markRebuilt();
		this.lifecycle.observation().endsAs(SubmissionOutcome.RECOVERED);
		this.services.gate().listeners().replayed(this.operation.policy(), key());
	}

	/** Writes the stored response, if there is one that the caller may see. */
	boolean write(HttpServletRequest request, DeferredResponse response) throws IOException {
		authorize(request);
		customize(request);
		if (this.stored == null) {
			return false;
		}
		response.restart();
		this.stored.writeTo(response, this.services.settings().replayedHeader(), request.getMethod().equals("HEAD"));
		return true;
	}

	private OperationKey key() {
		return this.lifecycle.context().submission().key();
	}

	private StoredResponse read(OperationKey key, Outcome.Stored outcome) {
		try {
			return StoredResponse.decode(outcome.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored response of operation '" + this.operation.name() + "' (key " + key
					+ ") cannot be read: this submission and its repeats are refused with 500 until the record expires",
					ex);
			this.services.gate().listeners().refused(this.operation.policy(), key, Refusal.RECORD_UNREADABLE);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, this.operation.name());
		}
	}

}
