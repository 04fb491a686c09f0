package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.io.Serial;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.store.Outcome;
import io.idempotent.submission.DecidedSubmission;
import io.idempotent.submission.Decision;
import io.idempotent.submission.Decision.RecoveredResult;
import io.idempotent.submission.SubmissionOutcome;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a submission gets if an earlier attempt took effect: the stored response, a result
 * that is rebuilt, or a refusal. Whether a record or a receipt has the response, it is
 * found first, and given only after the application has {@linkplain #permit permitted}
 * that. Does nothing for the first submission.
 */
public final class HttpReplay {

	private static final Log logger = LogFactory.getLog(HttpReplay.class);

	private final Operation operation;

	private final DeferredResponse response;

	private final HttpSubmission.HttpServices services;

	/** {@code null} until the application was asked. */
	private volatile @Nullable Permission permission;

	HttpReplay(Operation operation, DeferredResponse response, HttpSubmission.HttpServices services) {
		this.operation = operation;
		this.response = response;
		this.services = services;
	}

	/** Asks for permission if the decision is a replay, or it was denied before. */
	void requirePermission(DecidedSubmission decided, HttpServletRequest request) {
		if (isAwaitingPermission(decided)) {
			permit(decided, (decided.decision() instanceof Decision.Replay replay) ? replay.answer() : null, request);
		}
	}

	boolean isAwaitingPermission(DecidedSubmission decided) {
		return isDenied() || (decided.context().isReplay() && this.permission == null);
	}

	/** Whether the application did not permit the replay. */
	boolean isDenied() {
		Permission known = this.permission;
		return known != null && !known.given();
	}

	/**
	 * Asks the application whether the request may get an answer, until it permits that.
	 * Call on the request's thread.
	 * @param answer of a record or receipt; {@code null} if a result is rebuilt
	 */
	private void permit(DecidedSubmission decided, Outcome.@Nullable Stored answer, HttpServletRequest request) {
		ReplayAuthorizer authorizer = this.services.authorizer();
		try {
			if ((this.permission == null || isDenied()) && authorizer != null) {
				authorizer.authorize(decided.context(), request);
			}
		}
		catch (Throwable ex) {
			this.permission = Permission.DENIED;
			decided.context().endsAs(SubmissionOutcome.REPLAY_DENIED);
			throw ex;
		}
		this.permission = new Permission(true, (answer != null) ? read(decided, answer) : null);
	}

	/** Refused if it cannot be read. */
	private static StoredResponse read(DecidedSubmission decided, Outcome.Stored stored) {
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

	/** Whether the response of an earlier attempt is replayed. */
	boolean isStored() {
		return stored() != null;
	}

	private @Nullable StoredResponse stored() {
		Permission known = this.permission;
		return (known != null) ? known.response() : null;
	}

	/**
	 * Rebuilds a result, unless the receipt has its response, which is replayed.
	 * @param kept the response that the receipt has
	 * @param request {@code null} on another thread than that of the request, which asks
	 * for permission when it goes on
	 */
	public @Nullable RecoveredResult recover(DecidedSubmission decided, Outcome.@Nullable Stored kept,
			@Nullable HttpServletRequest request, @Nullable Object[] arguments) {
		leaveIfKept(decided, kept, request);
		RecoveredResult result = this.operation.recover(decided.submission(), arguments);
		if (result != null && request != null) {
			permitRebuilt(decided, request);
		}
		return result;
	}

	void permitRebuilt(DecidedSubmission decided, HttpServletRequest request) {
		permit(decided, null, request);
		this.response.setHeader(this.services.settings().replayedHeader(), "true");
	}

	/** Leaves the call if the receipt of another attempt has the response. */
	void leaveIfKept(DecidedSubmission decided, Outcome.@Nullable Stored kept, @Nullable HttpServletRequest request) {
		if (kept != null) {
			if (request != null) {
				permit(decided, kept, request);
				decided.markRebuilt();
			}
			throw new ReplayException();
		}
	}

	/**
	 * Writes the stored response, if there is one that the caller may see. A present
	 * response that is committed is broken off: the exception must reach the container.
	 */
	public boolean write(HttpServletRequest request) {
		StoredResponse sent = stored();
		if (sent == null) {
			return false;
		}
		this.response.clear();
		if (this.response.isCommitted()) {
			throw new ReplayException();
		}
		try {
			sent.writeTo(this.response, this.services.settings().replayedHeader(), request.getMethod().equals("HEAD"));
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive the replay", disconnected);
		}
		return true;
	}

	/** Sends what a repeat gets, since the receipt contradicts the response. */
	void answerAsDuplicate(DecidedSubmission decided, Outcome proven, HttpServletRequest request) {
		decided.context().observeThrown(null);
		this.response.clear();
		SubmissionRefusedException refused = permitOrRefuse(decided, proven, request);
		if (refused == null) {
			write(request);
			return;
		}
		if (!isDenied()) {
			decided.context().observeThrown(refused);
		}
		this.services.refusals().write(refused, request, this.response);
	}

	/**
	 * Takes the answer if the application permits it, and then returns {@code null}.
	 * Nobody handles the exception by which it does not.
	 */
	private @Nullable SubmissionRefusedException permitOrRefuse(DecidedSubmission decided, Outcome proven,
			HttpServletRequest request) {
		try {
			if (proven instanceof Outcome.Stored answer) {
				permit(decided, answer, request);
				decided.markRebuilt();
				return null;
			}
		}
		catch (SubmissionRefusedException ex) {
			return ex;
		}
		catch (Exception ex) {
			logger.info("The answer that the receipt of " + decided + " has is not permitted, and refused", ex);
		}
		return decided.refuse(this.operation.policy().refusalOfDuplicate());
	}

	/** If given, for the response of an earlier attempt, unless a result is rebuilt. */
	private record Permission(boolean given, @Nullable StoredResponse response) {

		static final Permission DENIED = new Permission(false, null);

	}

	/** Leaves the call; the exception resolver writes the response that is replayed. */
	public static final class ReplayException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		ReplayException() {
			super("The stored response is replayed", null, false, false);
		}

	}

}
