package io.idempotent.web;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.aop.OperationRun;
import io.idempotent.aop.Rebuilt;
import io.idempotent.aop.Recoverer;
import io.idempotent.store.Claim;
import io.idempotent.store.Decision;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.Outcome;
import io.idempotent.store.Receipts.Work;
import io.idempotent.store.Submission;
import io.idempotent.store.SubmissionContext;
import io.idempotent.web.OutcomeClassifier.Answer;
import io.idempotent.web.OutcomeClassifier.OutcomeClass;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the reading of its key to the sending of
 * its answer.
 */
final class Exchange {

	private static final Log logger = LogFactory.getLog(Exchange.class);

	private enum Phase {

		/** The operation has not begun. */
		BEFORE,

		/** It runs. */
		RUNNING,

		/** It returned, or its asynchronous result came. */
		RETURNED,

		/** It threw. */
		FAILED

	}

	private final Operation operation;

	private final Entrance entrance;

	private final Fingerprint fingerprint;

	private final @Nullable String sentKey;

	private final IdempotentResponse response;

	private final AtomicBoolean finished = new AtomicBoolean();

	private final SubmissionContext context;

	private @Nullable Decision decision;

	private @Nullable StoredAnswer replay;

	private volatile Phase phase = Phase.BEFORE;

	private volatile boolean answerLost;

	private volatile boolean timedOut;

	private volatile boolean refused;

	Exchange(Operation operation, Entrance entrance, Fingerprint fingerprint, @Nullable String sentKey,
			IdempotentResponse response) {
		this.operation = operation;
		this.entrance = entrance;
		this.fingerprint = fingerprint;
		this.sentKey = sentKey;
		this.response = response;
		this.context = new SubmissionContext(operation.name(), entrance.gate());
	}

	Operation handledBy() {
		return this.operation;
	}

	Fingerprint fingerprint() {
		return this.fingerprint;
	}

	/**
	 * The key where no expression makes one from the arguments.
	 * @return what the caller sent, or else the content itself
	 */
	String keyWithoutArguments() {
		return (this.sentKey != null) ? this.sentKey : this.fingerprint.digest().encoded();
	}

	Entrance entrance() {
		return this.entrance;
	}

	SubmissionContext context() {
		return this.context;
	}

	/**
	 * Whether the claim is still to be made, by the call itself.
	 * @return whether nothing was decided yet
	 */
	boolean isUndecided() {
		return this.decision == null;
	}

	boolean isReplay() {
		return this.replay != null;
	}

	/**
	 * Whether the call at hand is the operation: it is not while it runs already, but it
	 * is again where a retry stands around us and the attempt before has failed.
	 * @return whether the operation begins with this call
	 */
	boolean mayBegin() {
		return this.phase == Phase.BEFORE || this.phase == Phase.FAILED;
	}

	/**
	 * Acts on what the gate decided.
	 * @param submission what was submitted
	 * @param taken the decision
	 * @throws SubmissionRefusedException if it was refused
	 */
	void decide(Submission submission, Decision taken) {
		this.decision = taken;
		this.context.decided(submission, taken);
		if (taken.claim() != null) {
			this.response.arm(this.entrance.settings().maxResponseBody());
		}
		else if (taken instanceof Decision.Replay stored) {
			this.replay = decode(stored.answer(), submission);
		}
		requireNotRefused();
	}

	/**
	 * Stops a call that must not run the operation, however often it is tried.
	 * @throws ReplayException if there is an answer instead
	 * @throws SubmissionRefusedException if it was refused
	 */
	void requireRun() {
		requireNotRefused();
		if (this.decision instanceof Decision.Replay) {
			throw new ReplayException();
		}
	}

	/**
	 * Runs the operation, or what takes its place.
	 * @param arguments the arguments of the call
	 * @param call the operation
	 * @return its result
	 * @throws Throwable what it throws
	 * @throws SubmissionRefusedException if it took effect in another attempt whose
	 * answer is not to be had
	 */
	// NullAway does not see that the type of the result is a nullable one.
	@SuppressWarnings("NullAway")
	@Nullable Object run(@Nullable Object[] arguments, Work<@Nullable Object, Throwable> call) throws Throwable {
		Decision taken = this.decision;
		Submission submission = this.context.submission();
		if (taken == null) {
			throw new IllegalStateException("Nothing was decided");
		}
		OperationRun run = this.entrance.run(this.operation, submission.key(), () -> rebuild(submission, arguments));
		return run.execute(taken, () -> {
			this.entrance.gate().begins(taken.effect());
			Object result = call.run();
			return (result instanceof Callable<?> later) ? inOperation(run, taken, later) : result;
		});
	}

	@SuppressWarnings("NullAway")
	private static Callable<@Nullable Object> inOperation(OperationRun run, Decision taken, Callable<?> later) {
		return () -> {
			Object result = run.<Exception>resume(taken, later::call);
			// Rebuilt as the method would have returned it.
			return (result instanceof Callable<?> rebuilt) ? rebuilt.call() : result;
		};
	}

	private @Nullable Rebuilt rebuild(Submission submission, @Nullable Object[] arguments) {
		Recoverer recoverer = this.operation.recoverer();
		if (recoverer == null || this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return null;
		}
		Rebuilt answer = recoverer.recover(submission.key(), submission.keyValue(), arguments);
		if (answer != null) {
			this.response.setHeader(this.entrance.settings().replayedHeader(), "true");
		}
		return answer;
	}

	private void requireNotRefused() {
		if (this.decision instanceof Decision.Refused refused) {
			throw new SubmissionRefusedException(refused.reason(), this.operation.name());
		}
	}

	private StoredAnswer decode(Outcome.Stored stored, Submission submission) {
		try {
			return StoredAnswer.decode(stored.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored answer of operation '" + this.operation.name() + "' (key " + submission.key()
					+ ") cannot be read", ex);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, this.operation.name());
		}
	}

	void begins() {
		this.phase = Phase.RUNNING;
	}

	void returns() {
		this.phase = Phase.RETURNED;
	}

	void fails() {
		this.phase = Phase.FAILED;
	}

	/**
	 * The asynchronous result has come.
	 * @param result the result, or what was thrown
	 */
	void resumes(@Nullable Object result) {
		if (this.phase == Phase.RUNNING) {
			this.phase = (result instanceof Throwable) ? Phase.FAILED : Phase.RETURNED;
		}
	}

	/**
	 * The container gave up waiting for the asynchronous result; the operation may still
	 * run.
	 */
	void timesOut() {
		this.timedOut = true;
	}

	/**
	 * The answer is a refusal: of the submission, or of something that the operation
	 * asked for.
	 */
	void refuses() {
		this.refused = true;
	}

	/**
	 * Something threw while the request was handled. After the operation has returned
	 * that concerns its answer only.
	 */
	void handlingFails() {
		if (this.phase == Phase.RETURNED) {
			this.answerLost = true;
		}
	}

	/**
	 * Writes the stored answer.
	 * @throws IOException if the client is gone
	 */
	void writeReplay() throws IOException {
		StoredAnswer answer = this.replay;
		if (answer == null) {
			throw new IllegalStateException("There is no answer to replay");
		}
		answer.writeTo(this.response, this.entrance.settings().replayedHeader());
	}

	/**
	 * Ends the exchange: the outcome is recorded first, then the answer is sent. Further
	 * calls do nothing.
	 * @param thrown what the request ended with, or {@code null}
	 * @throws IOException if the client is gone, after the outcome was recorded
	 */
	void finish(@Nullable Throwable thrown) throws IOException {
		if (!this.finished.compareAndSet(false, true)) {
			return;
		}
		if (thrown != null) {
			handlingFails();
		}
		Claim claim = (this.decision != null) ? this.decision.claim() : null;
		if (claim != null) {
			record(claim, thrown);
		}
		if (thrown != null) {
			this.response.discard();
		}
		else {
			this.response.send();
		}
	}

	private void record(Claim running, @Nullable Throwable thrown) {
		try {
			if (!this.timedOut) {
				end(running, thrown);
			}
		}
		finally {
			// Nothing after an end; but what nobody ends would be renewed for ever.
			running.fallSilent();
		}
	}

	private void end(Claim running, @Nullable Throwable thrown) {
		if (this.phase == Phase.BEFORE) {
			running.giveBack();
			return;
		}
		running.rememberFor(this.context.retention(running));
		byte[] body = this.response.body();
		OutcomeClass told = classify(running, thrown, body);
		if (told == null) {
			// What it answers is not what it did.
			running.fail();
			return;
		}
		switch (told) {
			case EFFECT -> running.complete(outcome(body), running.retention());
			case NO_EFFECT -> running.release();
			case UNKNOWN -> running.abandon();
		}
	}

	/**
	 * What the answer says of the operation; nothing if it failed.
	 */
	private @Nullable OutcomeClass classify(Claim running, @Nullable Throwable thrown, byte @Nullable [] body) {
		if (this.answerLost) {
			return OutcomeClass.EFFECT;
		}
		if (this.phase != Phase.RETURNED && this.response.isClientGone()) {
			return OutcomeClass.UNKNOWN;
		}
		if (thrown != null) {
			return null;
		}
		OutcomeClass told = this.entrance.classify(this.operation.name(),
				new Answer(this.response.getStatus(), this.response.getContentType(), body));
		return (told != null) ? told : byStatus(running, this.response.getStatus());
	}

	private @Nullable OutcomeClass byStatus(Claim running, int status) {
		// A refusal of ours is not the word of the operation on what it did.
		if (status / 100 == 4 && !(this.refused && running.tookEffect())) {
			return OutcomeClass.NO_EFFECT;
		}
		// An exception that was turned into "200 with an error code" is an exception.
		return (this.phase == Phase.RETURNED && status / 100 != 5) ? OutcomeClass.EFFECT : null;
	}

	private Outcome outcome(byte @Nullable [] body) {
		if (body == null || this.answerLost || !this.context.storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		return Outcome.stored(StoredAnswer.of(this.response, this.entrance.settings().replayHeaders(), body).encode());
	}

}
