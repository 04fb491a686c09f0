package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.DecidedSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.RecoveredResult;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.store.Outcome;
import io.idempotent.support.KeyExpression;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.ReplayCustomizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
import io.idempotent.webmvc.internal.response.StoredResponse;
import io.idempotent.webmvc.internal.submission.SubmissionReader.ReadRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** One request to an idempotent operation, from the claim of its key to the response. */
public final class HttpSubmission {

	private static final Log logger = LogFactory.getLog(HttpSubmission.class);

	private final Operation operation;

	private final ReadRequest read;

	private final DeferredResponse response;

	private final Services services;

	private final SubmissionContext context;

	private final HttpReplay replay;

	private final SubmissionProgress progress = new SubmissionProgress();

	private final AtomicBoolean finished = new AtomicBoolean();

	/** {@code null} until the key is claimed. */
	private volatile @Nullable DecidedSubmission decided;

	private boolean unprotected;

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, Services services) {
		this.operation = operation;
		this.read = read;
		this.response = response;
		this.services = services;
		this.context = new SubmissionContext(operation.policy());
		this.replay = new HttpReplay(operation, services);
	}

	/** Finds the submission of a request, or {@code null} if it is none. */
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
		return this.decided == null;
	}

	/** Whether the condition is met. A retry advice gets the result of its first call. */
	public boolean appliesTo(@Nullable Object[] arguments) throws IOException {
		KeyExpression condition = this.operation.condition();
		if (isUndecided() && condition != null && !this.unprotected
				&& !condition.decide("operation '" + this.operation.name() + "'", arguments)) {
			this.unprotected = true;
			this.response.streamUnrecorded();
		}
		return !this.unprotected;
	}

	/**
	 * Claims the key once: for each attempt of a retry advice the first decision counts.
	 * {@code arguments} are {@code null} before the handler method is called.
	 */
	public DecidedSubmission decide(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		DecidedSubmission known = this.decided;
		DecidedSubmission decided = (known != null) ? known : claim(request, arguments);
		this.replay.prepare(decided, request, this.response);
		throwIfRefused(decided);
		return decided;
	}

	private DecidedSubmission claim(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		Submission submission = this.services.reader().submission(this.operation, this.read, request, arguments);
		DecidedSubmission decided = this.services.gate()
			.enter(Entrance.HTTP, this.context, submission, this::isReplayedError);
		this.decided = decided;
		if (decided.decision().claim() != null) {
			this.response.startBuffering(this.services.settings().maxResponseBody());
		}
		return decided;
	}

	/** A classifier may have taken an error for an effect. */
	private boolean isReplayedError(Outcome.Stored stored) {
		return this.services.classifier() == null
				&& this.operation.replayErrors().contains(StoredResponse.status(stored.answer()));
	}

	private void throwIfRefused(DecidedSubmission decided) {
		if (decided.decision() instanceof Decision.Refused refused) {
			throw this.operation.policy().refuse(refused.reason());
		}
	}

	/** Rebuilds a result, unless its response is kept with the receipt and replayed. */
	public @Nullable RecoveredResult recoverResult(DecidedSubmission decided, @Nullable Object[] arguments) {
		this.replay.throwIfKept(decided);
		RecoveredResult result = this.operation.recover(decided.submission(), arguments);
		if (result != null) {
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		return result;
	}

	private void observeFailure(@Nullable Throwable thrown) {
		DecidedSubmission decided = this.decided;
		if (decided != null) {
			decided.failed(thrown);
		}
	}

	/** The response becomes a refusal. */
	public void refused(SubmissionRefusedException refused) {
		observeFailure(refused);
		this.response.startRefusal();
	}

	public void failed(Throwable thrown) {
		this.progress.failed(thrown);
		observeFailure((thrown instanceof ReplayException) ? null : thrown);
	}

	/** The result of a duplicate does not count, however it handled the refusal. */
	public void resumed(@Nullable Object result) {
		DecidedSubmission decided = this.decided;
		if (decided == null || !decided.isDuplicate()) {
			this.progress.resumed(result);
			observeFailure((result instanceof Throwable thrown) ? thrown : null);
			return;
		}
		SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE,
				this.operation.name());
		this.progress.resumed(refused);
		this.replay.throwIfKept(decided);
		throw refused;
	}

	/** Notes the outcome at once, since Spring MVC's observation of the request stops. */
	public void timedOut(HttpServletRequest request) {
		this.progress.timedOut();
		DecidedSubmission decided = this.decided;
		if (decided != null && decided.decision().claim() != null && decided.isObserved()) {
			request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, SubmissionOutcome.LEFT_UNKNOWN.code());
		}
	}

	/**
	 * The handler adapter has returned; false if nothing protected the call. If an aspect
	 * called the method on another thread or answered itself, its response stands.
	 */
	public boolean handled(HttpServletRequest request) {
		DecidedSubmission decided = this.decided;
		if (decided == null) {
			return this.progress.handled() || this.unprotected;
		}
		throwIfRefused(decided);
		this.replay.requireAuthorized(decided, request, this.response);
		if (decided.decision() instanceof Decision.Replay) {
			throw new ReplayException();
		}
		this.progress.handled();
		return true;
	}

	/**
	 * Spring MVC got an exception. If the operation had returned, only its response
	 * failed, and is not recorded.
	 */
	public void handlingFailed() {
		if (this.progress.hasReturned()) {
			this.response.neverRecord();
		}
		this.response.reopen();
	}

	public boolean writeReplay(HttpServletRequest request) throws IOException {
		DecidedSubmission decided = this.decided;
		return decided != null && this.replay.write(decided, request, this.response);
	}

	/**
	 * Records the outcome, then sends the response; throws if the client has
	 * disconnected, after recording. Further calls do nothing.
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
		DecidedSubmission decided = this.decided;
		if (decided == null) {
			return;
		}
		ResponseClassifier classifier = new ResponseClassifier(this, decided, this.services, request, thrown);
		try {
			decided.end(classifier::end, (claim, reported) -> {
				Outcome proven = classifier.contradiction(claim);
				if (proven != null) {
					answerAsDuplicate(decided, proven, request);
				}
				this.replay.ended(claim, request, this.response);
			});
		}
		finally {
			if (decided.isObserved()) {
				request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, decided.outcome());
			}
		}
	}

	/** Sends what a repeat gets, since the receipt contradicts the response. */
	private void answerAsDuplicate(DecidedSubmission decided, Outcome proven, HttpServletRequest request) {
		decided.failed(null);
		this.response.retract();
		try {
			if (proven instanceof Outcome.Stored kept) {
				this.replay.replaysKept(decided, kept);
				this.replay.write(decided, request, this.response);
			}
			else {
				SubmissionRefusedException refused = decided.refuse(this.operation.policy().refusalOfDuplicate());
				refused(refused);
				this.services.refusals().render(refused, request, this.response);
			}
		}
		catch (IOException disconnected) {
			logger.debug("The client has disconnected: it does not receive what a repeat gets", disconnected);
		}
	}

	/** What all submissions share. */
	public record Services(IdempotencyGate gate, HttpSettings settings, SubmissionReader reader,
			@Nullable OutcomeClassifier classifier, ReplayAuthorizer authorizer, List<ReplayCustomizer> customizers,
			RefusalWriter refusals) {

		public Services {
			customizers = List.copyOf(customizers);
		}

	}

}
