package io.idempotent.webmvc.internal.submission;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
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
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ReplayAuthorizer;
import io.idempotent.webmvc.ReplayCustomizer;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.RefusalWriter;
import io.idempotent.webmvc.internal.request.CachedBodyRequest;
import io.idempotent.webmvc.internal.response.DeferredResponse;
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

	private final Lifecycle lifecycle;

	private final HttpReplay replay;

	private final SubmissionProgress progress = new SubmissionProgress();

	private final AtomicBoolean finished = new AtomicBoolean();

	private boolean unprotected;

	public HttpSubmission(Operation operation, ReadRequest read, DeferredResponse response, Services services) {
		this.operation = operation;
		this.read = read;
		this.response = response;
		this.services = services;
		this.lifecycle = new Lifecycle(services.gate(), operation.policy());
		this.replay = new HttpReplay(operation, this.lifecycle, services);
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
	public void decide(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		if (isUndecided()) {
			claim(request, arguments);
		}
		this.replay.prepare(request, this.response);
		throwIfRefused();
	}

	private void throwIfRefused() {
		if (this.lifecycle.decision() instanceof Decision.Refused refused) {
			throw this.operation.policy().refuse(refused.reason());
		}
	}

	private void claim(HttpServletRequest request, @Nullable Object @Nullable [] arguments) {
		Submission submission = this.services.reader().submission(this.operation, this.read, request, arguments);
		Decision entered = this.lifecycle.enter(Entrance.HTTP, submission);
		this.lifecycle.decided(submission, this.replay.correct(entered, submission));
		if (this.lifecycle.claim() != null) {
			this.response.startBuffering(this.services.settings().maxResponseBody());
		}
	}

	/** Rebuilds a result, unless its response is kept with the receipt and replayed. */
	public @Nullable RecoveredResult recoverResult(@Nullable Object[] arguments) {
		this.replay.throwIfKept();
		RecoveredResult result = this.operation.recover(context().submission(), arguments);
		Claim claim = this.lifecycle.claim();
		if (result != null) {
			context().markRebuilt();
			this.lifecycle.observation().endsAs(SubmissionOutcome.RECOVERED);
			this.response.setHeader(this.services.settings().replayedHeader(), "true");
		}
		else if (claim != null) {
			claim.end(Ending.Plain.COMMITTED);
		}
		return result;
	}

	public void failed(Throwable thrown) {
		this.progress.failed(thrown);
		this.lifecycle.observation().failed((thrown instanceof ReplayException) ? null : thrown);
	}

	public void bodyStarted(TransactionScope open) {
		this.lifecycle.bodyBegins();
		this.progress.bodyStarted(this.lifecycle.proof(), open);
	}

	/** The result of a duplicate does not count, however it handled the refusal. */
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

	/** Notes the outcome at once, since Spring MVC's observation of the request stops. */
	public void timedOut(HttpServletRequest request) {
		this.progress.timedOut();
		if (this.lifecycle.claim() != null && this.lifecycle.observation() != SubmissionObservation.NONE) {
			request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, SubmissionOutcome.LEFT_UNKNOWN.code());
		}
	}

	/**
	 * The handler adapter has returned; false if nothing protected the call. If an aspect
	 * called the method on another thread or answered itself, its response stands.
	 */
	public boolean handled(HttpServletRequest request) {
		throwIfRefused();
		this.replay.requireAuthorized(request, this.response);
		if (isReplay()) {
			throw new ReplayException();
		}
		return this.progress.handled() || this.unprotected || !isUndecided();
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
		return this.replay.write(request, this.response);
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
		ResponseClassifier classifier = new ResponseClassifier(this, this.services, request, thrown);
		try {
			this.lifecycle.end(classifier::ending, (claim) -> {
				Outcome proven = classifier.contradiction(claim);
				if (proven != null) {
					answerAsDuplicate(proven, request);
				}
				this.replay.ended(claim, request, this.response);
			});
		}
		finally {
			// Ended by the lifecycle already: end() only returns the outcome.
			String outcome = this.lifecycle.observation().end();
			if (outcome != null) {
				request.setAttribute(HttpSettings.OUTCOME_ATTRIBUTE, outcome);
			}
		}
	}

	/** Sends what a repeat gets, since the receipt contradicts the response. */
	private void answerAsDuplicate(Outcome proven, HttpServletRequest request) {
		this.lifecycle.observation().failed(null);
		this.response.retract();
		try {
			if (proven instanceof Outcome.Stored kept) {
				this.replay.replaysKept(kept);
				writeReplay(request);
			}
			else {
				Refusal reason = this.operation.policy().refusalOfDuplicate();
				SubmissionRefusedException refused = this.operation.policy().refuse(reason);
				this.lifecycle.observation().failed(refused);
				this.services.gate().listeners().refused(this.operation.policy(), context().submission().key(), reason);
				this.response.startRefusal();
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
