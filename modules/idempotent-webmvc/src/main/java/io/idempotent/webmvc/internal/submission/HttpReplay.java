package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Claim;
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

	private final HttpSubmission.Services services;

	private @Nullable StoredResponse stored;

	private boolean authorized;

	private boolean customized;

	HttpReplay(Operation operation, HttpSubmission.Services services) {
		this.operation = operation;
		this.services = services;
	}

	/** Before the submission gets what there is of an earlier decided. */
	void prepare(DecidedSubmission decided, HttpServletRequest request, DeferredResponse response) {
		if (this.stored == null && decided.decision() instanceof Decision.Replay replay) {
			this.stored = read(decided, replay.answer());
		}
		authorize(decided, request);
		customize(decided, request);
		announce(decided.decision().retentionLeft(), request, response);
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
	private void customize(DecidedSubmission decided, HttpServletRequest request) {
		List<ReplayCustomizer> customizers = this.services.customizers();
		if (this.stored != null && !this.customized && !customizers.isEmpty()) {
			this.stored = this.stored.withHeaders((headers) -> customizers
				.forEach((customizer) -> customizer.customize(decided.context(), request, headers)));
			this.customized = true;
		}
	}

	/** Lets the application refuse a replay. */
	private void authorize(DecidedSubmission decided, HttpServletRequest request) {
		if (decided.context().isReplay() && !this.authorized) {
			try {
				this.services.authorizer().authorize(decided.context(), request);
			}
			catch (Throwable ex) {
				decided.endsAs(SubmissionOutcome.REPLAY_DENIED);
				throw ex;
			}
			this.authorized = true;
		}
	}

	/** Discards what an aspect has made of a denial. */
	void requireAuthorized(DecidedSubmission decided, HttpServletRequest request, DeferredResponse response) {
		if (decided.context().isReplay() && !this.authorized) {
			response.restart();
			authorize(decided, request);
		}
	}

	/** Leaves the call if the response is kept with the receipt of another decided. */
	void throwIfKept(DecidedSubmission decided) {
		Outcome.Stored kept = decided.keptAnswer();
		if (kept != null) {
			replaysKept(decided, kept);
			throw new ReplayException();
		}
	}

	/** The response is the one that is kept with the receipt. */
	void replaysKept(DecidedSubmission decided, Outcome.Stored kept) {
		this.stored = read(decided, kept);
		this.customized = false;
		decided.markRebuilt();
	}

	/** Writes the stored response, if there is one that the caller may see. */
	boolean write(DecidedSubmission decided, HttpServletRequest request, DeferredResponse response) throws IOException {
		authorize(decided, request);
		customize(decided, request);
		if (this.stored == null) {
			return false;
		}
		response.restart();
		this.stored.writeTo(response, this.services.settings().replayedHeader(), request.getMethod().equals("HEAD"));
		return true;
	}

	private StoredResponse read(DecidedSubmission decided, Outcome.Stored stored) {
		try {
			return StoredResponse.decode(stored.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored response of operation '" + this.operation.name() + "' (key "
					+ decided.submission().key()
					+ ") cannot be read: this submission and its repeats are refused with 500 until the record expires",
					ex);
			throw decided.refuse(Refusal.RECORD_UNREADABLE);
		}
	}

}
