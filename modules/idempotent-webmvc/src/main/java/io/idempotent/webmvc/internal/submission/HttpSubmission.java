package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Claim;
import io.idempotent.engine.Decision;
import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionObservation;
import io.idempotent.engine.SubmissionObserver.Entrance;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.method.OperationExecution;
import io.idempotent.method.RecoveredResult;
import io.idempotent.store.Outcome;
import io.idempotent.support.KeyExpression;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the decision of the
 * {@link IdempotencyGate} to the response.
 */
public final class HttpSubmission {

	/**
	 * The name of the user attribute of a method invocation that holds its submission.
	 */
	public static final String ATTRIBUTE = HttpSubmission.class.getName();

	private static final Log logger = LogFactory.getLog(HttpSubmission.class);

	private final Operation operation;

	private final ReadRequest read;

	private final DeferredResponse response;

	private final SubmissionServices services;

	private final SubmissionContext context;

	private final SubmissionProgress progress = new SubmissionProgress();

	private SubmissionObservation observation = SubmissionObservation.NONE;

	private final AtomicBoolean finished = new AtomicBoolean();

	private @Nullable Decision decision;

	private @Nullable StoredResponse replay;

	private boolean authorized;

	private boolean unprotected;

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response,
			SubmissionServices services) {
		this.operation = operation;
		this.read = read;
		this.response = response;
		this.services = services;
		this.context = new SubmissionContext(operation.name(), services.gate());
	}

	/**
	 * Finds the submission of a request.
	 * @param request the current request
	 * @return the submission, or {@code null} if the request is none
	 */
	public static @Nullable HttpSubmission find(HttpServletRequest request) {
		CachedBodyRequest cachedRequest = CachedBodyRequest.find(request);
		return (cachedRequest != null) ? of(cachedRequest) : null;
	}

	public static @Nullable HttpSubmission of(CachedBodyRequest request) {
		return (HttpSubmission) request.attachment();
	}

	public Operation operation() {
		return this.operation;
	}

	public SubmissionContext context() {
		return this.context;
	}

	public SubmissionProgress progress() {
		return this.progress;
	}

	public DeferredResponse response() {
		return this.response;
	}

	public boolean isUndecided() {
		return this.decision == null;
	}

	/**
	 * Whether the operation's condition is met, so that the call is to be protected. A
	 * retry advice gets what its first call got.
	 * @param arguments the arguments of the call
	 * @return whether it is; if not, the method runs as if it were not annotated
	 * @throws IOException if the client has disconnected
	 */
	public boolean appliesTo(@Nullable Object[] arguments) throws IOException {
		KeyExpression condition = this.operation.condition();
		if (this.decision == null && condition != null && !this.unprotected
				&& !condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			this.unprotected = true;
			this.response.stream();
		}
		return !this.unprotected;
	}

	/**
	 * Lets the gate decide, and acts on its decision.
	 * @param request the request
	 * @param submission what is submitted
	 * @throws SubmissionRefusedException if the submission is refused
	 */
	public Decision decide(HttpServletRequest request, Submission submission) {
		this.observation = this.services.gate().observer().start(this.operation.name(), Entrance.HTTP);
		Decision entered = enter(submission);
		this.decision = entered;
		Decision decided = correct(entered, submission);
		this.observation.decided(submission, decided);
		this.decision = decided;
		this.context.decided(submission, decided);
		if (decided.claim() != null) {
			this.response.startBuffering(this.services.settings().maxResponseBody());
		}
		requireNotRefused();
		authorizeReplay(request);
		return decided;
	}

	/**
	 * Reads the stored response. An error is not replayed if the operation took effect
	 * after it was recorded, by a commit that arrived late.
	 */
	private Decision correct(Decision decided, Submission submission) {
		if (!(decided instanceof Decision.Replay stored)) {
			return decided;
		}
		this.replay = this.services.recorder().read(this.operation, submission.key(), stored.answer());
		Outcome proven = this.services.recorder().isReplayedError(this.operation, this.replay)
				? this.services.gate().receipts().find(this.operation.policy(), submission.key()).orElse(null) : null;
		if (proven == null) {
			return decided;
		}
		this.replay = (proven instanceof Outcome.Stored kept)
				? this.services.recorder().read(this.operation, submission.key(), kept) : null;
		return Decision.completed(this.operation.policy(), proven, stored.attempt(), stored.origin());
	}

	private Decision enter(Submission submission) {
		try {
			return this.services.gate().enter(this.operation.policy(), submission);
		}
		catch (Throwable ex) {
			this.observation.failed(ex);
			// A retry advice may let it be decided again, with another observation.
			this.observation.end();
			throw ex;
		}
	}

	/**
	 * Returns the decision from within the call of the handler method, and makes it if
	 * that had to wait. Called again for each attempt of a retry advice.
	 * @param request the request
	 * @param arguments the arguments of the call
	 * @return the decision to run the operation, or to recover its result
	 * @throws ReplayException if a stored response is to be written instead
	 * @throws SubmissionRefusedException if the submission is refused
	 */
	public Decision decideInCall(HttpServletRequest request, @Nullable Object[] arguments) {
		Decision decided = this.decision;
		if (decided == null) {
			decided = decide(request, this.services.reader().submission(this.operation, this.read, request, arguments));
		}
		requireNotRefused();
		authorizeReplay(request);
		if (decided instanceof Decision.Replay) {
			throw new ReplayException();
		}
		return decided;
	}

	private void requireNotRefused() {
		if (this.decision instanceof Decision.Refused refused) {
			throw this.operation.policy().refuse(refused.reason());
		}
	}

	private void authorizeReplay(HttpServletRequest request) {
		if (this.context.isReplay() && !this.authorized) {
			try {
				this.services.authorizer().authorize(this.context, request);
			}
			catch (Throwable ex) {
				this.observation.endsAs(SubmissionOutcome.REPLAY_DENIED);
				throw ex;
			}
			this.authorized = true;
		}
	}

	/**
	 * Prepares the call of the handler method.
	 * @param arguments the arguments of the call
	 * @return what runs the method, or recovers its result
	 */
	public OperationExecution execution(@Nullable Object[] arguments) {
		return new OperationExecution(this.services.gate(), this.operation.policy(), this.context.submission().key(),
				() -> recoverResult(arguments), Claim::completeAsProven);
	}

	private @Nullable RecoveredResult recoverResult(@Nullable Object[] arguments) {
		replayKept();
		RecoveredResult result = this.operation.recover(this.context.submission(), arguments);
		if (result != null) {
			this.context.isRebuilt();
			this.observation.endsAs(SubmissionOutcome.RECOVERED);
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		return result;
	}

	/**
	 * Leaves the call if the response is kept with the receipt of another attempt.
	 */
	private void replayKept() {
		Outcome.Stored kept = (this.operation.policy().whenCompleted() == WhenCompleted.REPLAY) ? this.services.gate()
			.receipts()
			.findResult(this.operation.policy(), this.context.submission().key())
			.orElse(null) : null;
		if (kept != null) {
			keptIsReplayed(kept);
			throw new ReplayException();
		}
	}

	private void keptIsReplayed(Outcome.Stored kept) {
		this.replay = this.services.recorder().read(this.operation, this.context.submission().key(), kept);
		this.context.isRebuilt();
		this.observation.endsAs(SubmissionOutcome.RECOVERED);
		this.services.gate().listeners().replayed(this.operation.policy(), this.context.submission().key());
	}

	/**
	 * Makes the observation of this submission the current one of the thread that runs
	 * the operation.
	 * @return the scope, to be closed by the same thread
	 */
	public SubmissionObservation.Scope openScope() {
		return this.observation.openScope();
	}

	/**
	 * The operation threw an exception.
	 * @param thrown the exception
	 */
	public void failed(Throwable thrown) {
		this.progress.failed(thrown);
		this.observation.failed((thrown instanceof ReplayException) ? null : thrown);
	}

	/**
	 * The handler method returned, perhaps after a retry.
	 */
	public void returned() {
		this.observation.failed(null);
	}

	/**
	 * The submission is refused, or a call within the operation is.
	 * @param refused the refusal
	 */
	public void refused(SubmissionRefusedException refused) {
		this.observation.failed(refused);
	}

	/**
	 * The code of the operation starts: an open transaction belongs to it.
	 */
	public void codeStarted() {
		this.services.gate().receipts().bodyBegins(effect());
	}

	/**
	 * The body of the handler method starts, inside its transaction.
	 * @param transactions the outcome of the transactions that are open now
	 */
	public void bodyStarted(Supplier<@Nullable TransactionOutcome> transactions) {
		codeStarted();
		this.progress.bodyStarted(effect(), transactions);
	}

	private @Nullable EffectStatus effect() {
		return (this.decision != null) ? this.decision.effect() : null;
	}

	/**
	 * The asynchronous result is available. The result of a duplicate does not count,
	 * however the operation handled the refusal.
	 * @param result the result or the exception
	 * @throws SubmissionRefusedException if another attempt has already taken effect
	 */
	public void resumed(@Nullable Object result) {
		if (!this.context.isDuplicate()) {
			this.progress.resumed(result);
			this.observation.failed((result instanceof Throwable thrown) ? thrown : null);
			return;
		}
		SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE,
				this.operation.name());
		this.progress.resumed(refused);
		replayKept();
		throw refused;
	}

	/**
	 * The container no longer waits for the asynchronous result. The outcome is noted at
	 * once, since Spring MVC's own observation of the request stops now.
	 * @param request the request
	 */
	public void timedOut(HttpServletRequest request) {
		this.progress.timedOut();
		boolean claimed = this.decision != null && this.decision.claim() != null;
		if (claimed && this.observation != SubmissionObservation.NONE) {
			request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, SubmissionOutcome.LEFT_UNKNOWN.code());
		}
	}

	/**
	 * Handling the request failed. After the operation has returned, this concerns the
	 * response only.
	 */
	public void handlingFailed() {
		if (this.progress.hasReturned()) {
			this.response.neverRecord();
		}
		this.response.reopen();
	}

	/**
	 * Writes the stored response, if the decision is to replay one.
	 * @param request the request
	 * @return whether there was one
	 * @throws IOException if the client has disconnected
	 */
	public boolean writeReplay(HttpServletRequest request) throws IOException {
		StoredResponse stored = this.replay;
		if (stored == null) {
			return false;
		}
		this.response.startReplay();
		stored.writeTo(this.response, this.services.settings().replayedHeader(), request.getMethod().equals("HEAD"));
		return true;
	}

	/**
	 * Records the outcome, then sends the response. Further calls do nothing.
	 * @param request the request
	 * @param thrown the exception that ended the request, or {@code null}
	 * @throws IOException if the client has disconnected; the outcome is recorded
	 */
	public void finish(HttpServletRequest request, @Nullable Throwable thrown) throws IOException {
		if (!this.finished.compareAndSet(false, true)) {
			return;
		}
		if (thrown != null) {
			handlingFailed();
		}
		record(request, thrown);
		if (thrown != null) {
			this.response.discard();
		}
		else {
			this.response.send();
		}
	}

	/**
	 * Answers as a repeat is answered: the receipt contradicts the operation's response.
	 */
	private void answerAsDuplicate(Outcome proven, HttpServletRequest request) {
		this.observation.failed(null);
		this.response.retract();
		try {
			if (proven instanceof Outcome.Stored kept) {
				keptIsReplayed(kept);
				writeReplay(request);
				return;
			}
			SubmissionRefusedException refused = this.operation.policy()
				.refuse(this.operation.policy().refusalOfDuplicate());
			refused(refused);
			this.services.gate()
				.listeners()
				.refused(this.operation.policy(), this.context.submission().key(), refused.refusal());
			this.response.startRefusal();
			this.services.refusals().render(refused, request, this.response);
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive what a repeat gets", disconnected);
		}
	}

	@SuppressWarnings("try") // the scope ends with the block
	private void record(HttpServletRequest request, @Nullable Throwable thrown) {
		Claim claim = (this.decision != null) ? this.decision.claim() : null;
		try (SubmissionObservation.Scope scope = openScope()) {
			if (claim != null) {
				Outcome proven = this.services.recorder()
					.record(claim, this.context,
							new HttpSubmissionEnd(this.operation, this.progress, this.response, request, thrown));
				if (proven != null) {
					answerAsDuplicate(proven, request);
				}
			}
		}
		finally {
			String outcome = this.observation.end();
			if (outcome != null) {
				request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, outcome);
			}
		}
	}

}
