package io.idempotent.webmvc.internal.submission;

import java.io.IOException;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.store.Outcome;
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
 * that is rebuilt, or a refusal.
 */
public final class Replay {

	private static final Log logger = LogFactory.getLog(Replay.class);

	private final Operation operation;

	private final SubmissionContext context;

	private final DeferredResponse response;

	private final HttpSubmission.Services services;

	private volatile @Nullable Allowed allowed;

	Replay(Operation operation, SubmissionContext context, DeferredResponse response,
			HttpSubmission.Services services) {
		this.operation = operation;
		this.context = context;
		this.response = response;
		this.services = services;
	}

	/** Once, as soon as the application allows it. */
	void prepare(DecidedSubmission decided, HttpServletRequest request) {
		if (isAwaitingPermission()) {
			authorize(decided, request);
			this.allowed = new Allowed((decided.decision() instanceof Decision.Replay replay)
					? customize(read(decided, replay.answer()), request) : null);
		}
	}

	boolean isAwaitingPermission() {
		return this.context.isReplay() && this.allowed == null;
	}

	/** Lets the application refuse a replay. */
	private void authorize(DecidedSubmission decided, HttpServletRequest request) {
		ReplayAuthorizer authorizer = this.services.authorizer();
		try {
			if (authorizer != null) {
				authorizer.authorize(this.context, request);
			}
		}
		catch (Throwable ex) {
			decided.endsAs(SubmissionOutcome.REPLAY_DENIED);
			throw ex;
		}
	}

	/** Lets the application change the headers. */
	private StoredResponse customize(StoredResponse stored, HttpServletRequest request) {
		return this.services.customizers().isEmpty() ? stored
				: stored.withHeaders((headers) -> this.services.customizers()
					.forEach((customizer) -> customizer.customize(this.context, request, headers)));
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

	/** The response of an earlier attempt, if it is replayed. */
	@Nullable StoredResponse stored() {
		Allowed present = this.allowed;
		return (present != null) ? present.response() : null;
	}

	/** Rebuilds a result, unless the receipt has its response, which is replayed. */
	public @Nullable RecoveredResult recoverResult(DecidedSubmission decided, @Nullable Object[] arguments) {
		leaveIfKept(decided);
		RecoveredResult result = this.operation.recover(decided.submission(), arguments);
		if (result != null) {
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		return result;
	}

	/** Leaves the call if the receipt of another attempt has the response. */
	void leaveIfKept(DecidedSubmission decided) {
		Outcome.Stored answer = decided.keptAnswer();
		if (answer != null) {
			use(answer, decided);
			throw new ReplayException();
		}
	}

	void use(Outcome.Stored answer, DecidedSubmission decided) {
		this.allowed = new Allowed(read(decided, answer));
		decided.markRebuilt();
	}

	/** Writes the stored response, if there is one that the caller may see. */
	public boolean write(HttpServletRequest request) throws IOException {
		DecidedSubmission decided = this.context.decided();
		StoredResponse found = stored();
		if (decided == null || found == null) {
			return false;
		}
		// That of a receipt was found in the call, which may have another thread.
		StoredResponse sent = (decided.decision() instanceof Decision.Replay) ? found : customize(found, request);
		this.response.restart();
		sent.writeTo(this.response, this.services.settings().replayedHeader(), request.getMethod().equals("HEAD"));
		return true;
	}

	/** Sends what a repeat gets, since the receipt contradicts the response. */
	void answerAsDuplicate(DecidedSubmission decided, Outcome proven, HttpServletRequest request) {
		decided.observeThrown(null);
		this.response.restart();
		try {
			if (proven instanceof Outcome.Stored answer) {
				use(answer, decided);
				write(request);
			}
			else {
				SubmissionRefusedException refused = decided.refuse(this.operation.policy().refusalOfDuplicate());
				decided.observeThrown(refused);
				this.response.startRefusal();
				this.services.refusals().render(refused, request, this.response);
			}
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive what a repeat gets", disconnected);
		}
	}

	/**
	 * The application allows the replay.
	 *
	 * @param response of an earlier attempt; {@code null} if a result is to be rebuilt
	 */
	private record Allowed(@Nullable StoredResponse response) {
	}

}
