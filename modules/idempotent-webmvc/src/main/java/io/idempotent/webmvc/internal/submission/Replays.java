package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.store.Outcome;
import io.idempotent.webmvc.ReplayAuthorizer;
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

/** Reads and writes the stored responses that repeats get. */
public record Replays(HttpSettings settings, @Nullable ReplayAuthorizer authorizer,
		List<ReplayCustomizer> customizers) {

	private static final Log logger = LogFactory.getLog(Replays.class);

	/** Lets the application refuse a replay. */
	void authorize(DecidedSubmission decided, HttpServletRequest request) {
		if (this.authorizer == null) {
			return;
		}
		try {
			this.authorizer.authorize(decided.context(), request);
		}
		catch (Throwable ex) {
			decided.endsAs(SubmissionOutcome.REPLAY_DENIED);
			throw ex;
		}
	}

	/** Lets the application change the headers. */
	StoredResponse customize(StoredResponse stored, DecidedSubmission decided, HttpServletRequest request) {
		return this.customizers.isEmpty() ? stored : stored.withHeaders((headers) -> this.customizers
			.forEach((customizer) -> customizer.customize(decided.context(), request, headers)));
	}

	/** Refused if it cannot be read. */
	static StoredResponse read(DecidedSubmission decided, Outcome.Stored stored) {
		try {
			return StoredResponse.decode(stored.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored response of " + decided
					+ " cannot be read: this submission and its repeats are refused with 500 until the record expires",
					ex);
			throw decided.refuse(Refusal.RECORD_UNREADABLE);
		}
	}

	void write(StoredResponse stored, HttpServletRequest request, DeferredResponse response) throws IOException {
		response.restart();
		stored.writeTo(response, this.settings.replayedHeader(), request.getMethod().equals("HEAD"));
	}

	/** Says how long a header key is remembered; zero if that is not known. */
	void announce(Duration remembered, Operation operation, HttpServletRequest request, DeferredResponse response) {
		if (operation.source() == KeySource.HEADER && !remembered.isZero() && staysInSession(request)) {
			response.announce(HttpSettings.TTL_HEADER, Long.toString(remembered.toSeconds()));
		}
	}

	/** In another session, the key of a repeat is another one, if keys belong to them. */
	private boolean staysInSession(HttpServletRequest request) {
		HttpSession session = request.getSession(false);
		return !this.settings.bindToSession()
				|| Objects.equals((session != null) ? session.getId() : null, request.getRequestedSessionId());
	}

}
