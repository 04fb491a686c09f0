package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Decision;
import io.idempotent.engine.Lifecycle;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionObservation;
import io.idempotent.engine.SubmissionObserver.Entrance;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Submission;
import io.idempotent.store.Outcome;
import io.idempotent.support.KeyExpression;
import io.idempotent.transaction.TransactionScope;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the claim of its key to the response.
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

	private final Lifecycle lifecycle;

	private final HttpReplay replay;

	private final SubmissionProgress progress = new SubmissionProgress();

	private final AtomicBoolean finished = new AtomicBoolean();

	private boolean unprotected;

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response,
			SubmissionServices services) {
		this.operation = operation;
		this.read = read;
		this.response = response;
		this.services = services;
		this.lifecycle = new Lifecycle(services.gate(), operation.policy());
		this.replay = new HttpReplay(operation, this.lifecycle, services);
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

	public Lifecycle lifecycle() {
		return this.lifecycle;
	}

	public SubmissionContext context() {
		return this.lifecycle.context();
	}

	public SubmissionProgress progress() {
		return this.progress;
	}

	public DeferredResponse response() {
		return this.response;
	}

	public boolean isUndecided() {
		return this.lifecycle.decision() == null;
	}

	public boolean isReplay() {
		return this.lifecycle.decision() instanceof Decision.Replay;
	}

	/**
	 * Whether the operation's condition is met, so that the call is to be protected. A
	 * retry advice gets the result of its first call.
	 * @param arguments the arguments of the call
	 * @return whether it is; if not, the method runs as if it were not annotated
	 * @throws IOException if the client has disconnected
	 */
	public boolean appliesTo(@Nullable Object[] arguments) throws IOException {
		KeyExpression condition = this.operation.condition();
		if (isUndecided() && condition != null && !this.unprotected
				&& !condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			this.unprotected = true;
			this.response.stream();
		}
		return !this.unprotected;
	}

	/**
	 * Reads the key and claims it, unless that was done before: for each attempt of a
	 * retry advice the first decision counts.
	 * @param request the request
	 * @param arguments the arguments of the call of the handler method, or {@code null}
	 * before it
	 * @throws SubmissionRefusedException if the submission is refused
	 */
	public void decide(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		if (isUndecided()) {
			claim(request, arguments);
		}
		if (this.lifecycle.decision() instanceof Decision.Refused refused) {
			throw this.operation.policy().refuse(refused.reason());
		}
		this.replay.authorize(request);
	}

	private void claim(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		Submission submission = this.services.reader().submission(this.operation, this.read, request, arguments);
		Decision entered = this.lifecycle.enter(Entrance.HTTP, submission);
		this.lifecycle.decided(submission, this.replay.correct(entered, submission));
		if (this.lifecycle.claim() != null) {
			this.response.startBuffering(this.services.settings().maxResponseBody());
		}
	}

	/**
	 * Rebuilds the result of an operation that took effect.
	 * @param arguments the arguments of the call
	 * @return the result, or {@code null} if there is none
	 * @throws ReplayException if its response is kept with the receipt
	 */
	public @Nullable RecoveredResult recoverResult(@Nullable Object[] arguments) {
		this.replay.throwIfKept();
		RecoveredResult result = this.operation.recover(context().submission(), arguments);
		Claim claim = this.lifecycle.claim();
		if (result != null) {
			context().isRebuilt();
			this.lifecycle.observation().endsAs(SubmissionOutcome.RECOVERED);
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		else if (claim != null) {
			claim.end(Ending.Plain.COMMITTED);
		}
		return result;
	}

	/**
	 * The operation threw an exception.
	 * @param thrown the exception
	 */
	public void failed(Throwable thrown) {
		this.progress.failed(thrown);
		this.lifecycle.observation().failed((thrown instanceof ReplayException) ? null : thrown);
	}

	/**
	 * The body of the handler method starts, inside its transaction.
	 * @param open the transactions that are open now
	 */
	public void bodyStarted(TransactionScope open) {
		this.lifecycle.bodyBegins();
		this.progress.bodyStarted(this.lifecycle.proof(), open);
	}

	/**
	 * The asynchronous result is available. The result of a duplicate does not count,
	 * however the operation handled the refusal.
	 * @param result the result or the exception
	 * @throws SubmissionRefusedException if another attempt has already taken effect
	 */
	public void resumed(@Nullable Object result) {
		if (!context().isDuplicate()) {
			this.progress.resumed(result);
			this.lifecycle.observation().failed((result instanceof Throwable thrown) ? thrown : null);
			return;
		}
		SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE,
				this.operation.name());
		this.progress.resumed(refused);
		this.replay.throwIfKept();
		throw refused;
	}

	/**
	 * The container no longer waits for the asynchronous result. The outcome is noted at
	 * once, since Spring MVC's own observation of the request stops now.
	 * @param request the request
	 */
	public void timedOut(HttpServletRequest request) {
		this.progress.timedOut();
		if (this.lifecycle.claim() != null && this.lifecycle.observation() != SubmissionObservation.NONE) {
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
		return this.replay.write(request, this.response);
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

	private void record(HttpServletRequest request, @Nullable Throwable thrown) {
		HttpEnding ending = new HttpEnding(this, this.services, request, thrown);
		try {
			this.lifecycle.end(ending::of, (claim) -> {
				Outcome proven = ending.contradiction(claim);
				if (proven != null) {
					answerAsDuplicate(proven, request);
				}
			});
		}
		finally {
			String outcome = this.lifecycle.observation().end();
			if (outcome != null) {
				request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, outcome);
			}
		}
	}

	/**
	 * Sends what a repeat would get, since the receipt contradicts the operation's
	 * response.
	 */
	private void answerAsDuplicate(Outcome proven, HttpServletRequest request) {
		this.lifecycle.observation().failed(null);
		this.response.retract();
		try {
			if (proven instanceof Outcome.Stored kept) {
				this.replay.replaysKept(kept);
				writeReplay(request);
			}
			else {
				answerRefused(this.operation.policy().refusalOfDuplicate(), request);
			}
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive what a repeat gets", disconnected);
		}
	}

	private void answerRefused(Refusal reason, HttpServletRequest request) throws IOException {
		SubmissionRefusedException refused = this.operation.policy().refuse(reason);
		this.lifecycle.observation().failed(refused);
		this.services.gate().listeners().refused(this.operation.policy(), context().submission().key(), reason);
		this.response.startRefusal();
		this.services.refusals().render(refused, request, this.response);
	}

}
