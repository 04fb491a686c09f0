package io.idempotent.web;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.IdempotencyContext;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.store.Claim;
import io.idempotent.store.Decision;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.Outcome;
import io.idempotent.store.Submission;
import io.idempotent.web.OutcomeClassifier.Answer;
import io.idempotent.web.OutcomeClassifier.OutcomeClass;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;

/**
 * One request to an idempotent operation, from the reading of its key to the sending of
 * its answer. Also what the operation sees of it.
 */
final class Exchange implements IdempotencyContext {

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

	private final IdempotentResponse response;

	private final AtomicBoolean finished = new AtomicBoolean();

	private @Nullable Submission submission;

	private @Nullable Claim claim;

	private @Nullable StoredAnswer replay;

	private int attempt;

	private boolean decided;

	private volatile Phase phase = Phase.BEFORE;

	private volatile boolean answerLost;

	private volatile boolean timedOut;

	private volatile boolean storesAnswer = true;

	private volatile @Nullable Duration retention;

	Exchange(Operation operation, Entrance entrance, Fingerprint fingerprint, IdempotentResponse response) {
		this.operation = operation;
		this.entrance = entrance;
		this.fingerprint = fingerprint;
		this.response = response;
	}

	Operation handledBy() {
		return this.operation;
	}

	Fingerprint fingerprint() {
		return this.fingerprint;
	}

	Entrance entrance() {
		return this.entrance;
	}

	/**
	 * Whether the claim is still to be made, by the call itself.
	 * @return whether nothing was decided yet
	 */
	boolean isUndecided() {
		return !this.decided;
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
	 * @param submitted what was submitted
	 * @param decision the decision
	 * @throws SubmissionRefusedException if it was refused
	 */
	void decide(Submission submitted, Decision decision) {
		this.submission = submitted;
		this.decided = true;
		if (decision instanceof Decision.Run run) {
			this.claim = run.claim();
			this.attempt = run.claim().attempt();
			this.response.arm(this.entrance.settings().maxResponseBody());
		}
		else if (decision instanceof Decision.Replay stored) {
			this.attempt = stored.attempt();
			this.replay = decode(stored.answer(), submitted);
		}
		else if (decision instanceof Decision.Refused refused) {
			throw new SubmissionRefusedException(refused.reason(), operation());
		}
	}

	private StoredAnswer decode(Outcome.Stored stored, Submission submitted) {
		try {
			return StoredAnswer.decode(stored.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error(
					"The stored answer of operation '" + operation() + "' (key " + submitted.key() + ") cannot be read",
					ex);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, operation());
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
		if (this.claim != null) {
			record(this.claim, thrown);
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
		byte[] body = this.response.body();
		switch (classify(thrown, body)) {
			case EFFECT -> running.complete(outcome(body), retention(running));
			case NO_EFFECT -> running.release();
			case UNKNOWN -> running.abandon();
		}
	}

	/**
	 * Never shorter than the life of a signed token, which could be used again after it.
	 */
	private Duration retention(Claim running) {
		Duration wanted = this.retention;
		if (wanted == null) {
			return running.retention();
		}
		Duration keyLife = submitted().keyLife();
		return (wanted.compareTo(keyLife) < 0) ? keyLife : wanted;
	}

	private OutcomeClass classify(@Nullable Throwable thrown, byte @Nullable [] body) {
		if (this.phase == Phase.BEFORE) {
			return OutcomeClass.NO_EFFECT;
		}
		if (this.answerLost) {
			return OutcomeClass.EFFECT;
		}
		if (this.phase != Phase.RETURNED && this.response.isClientGone()) {
			return OutcomeClass.UNKNOWN;
		}
		if (thrown != null) {
			return failed();
		}
		OutcomeClass told = this.entrance.classify(operation(),
				new Answer(this.response.getStatus(), this.response.getContentType(), body));
		return (told != null) ? told : byStatus(this.response.getStatus());
	}

	private OutcomeClass byStatus(int status) {
		HttpStatus.Series series = HttpStatus.Series.resolve(status);
		if (series == HttpStatus.Series.CLIENT_ERROR) {
			return OutcomeClass.NO_EFFECT;
		}
		// An exception that was turned into "200 with an error code" is an exception.
		return (this.phase == Phase.RETURNED && series != HttpStatus.Series.SERVER_ERROR) ? OutcomeClass.EFFECT
				: failed();
	}

	private OutcomeClass failed() {
		return (this.operation.policy().whenFailed() == WhenFailed.UNKNOWN) ? OutcomeClass.UNKNOWN
				: OutcomeClass.NO_EFFECT;
	}

	private Outcome outcome(byte @Nullable [] body) {
		if (body == null || this.answerLost || !this.storesAnswer
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY) {
			return Outcome.TOMBSTONE;
		}
		return Outcome.stored(StoredAnswer.of(this.response, this.entrance.settings().replayHeaders(), body).encode());
	}

	@Override
	public String operation() {
		return this.operation.name();
	}

	@Override
	public String key() {
		return submitted().key().encoded();
	}

	@Override
	public String derivedKey(String purpose) {
		return submitted().key().derive(purpose).encoded();
	}

	@Override
	public int attempt() {
		return this.attempt;
	}

	@Override
	public boolean isReplay() {
		return this.replay != null;
	}

	@Override
	public boolean isClaimLost() {
		return this.claim != null && this.claim.isLost();
	}

	@Override
	public void doNotStoreAnswer() {
		this.storesAnswer = false;
	}

	@Override
	public void retainFor(Duration time) {
		if (time.isZero() || time.isNegative()) {
			throw new IllegalArgumentException(
					"An operation cannot be remembered for " + time + ": the retention must be positive");
		}
		this.retention = time;
	}

	private Submission submitted() {
		if (this.submission == null) {
			throw new IllegalStateException("The key of operation '" + operation()
					+ "' is known only inside the call: it depends on the arguments, or on method security");
		}
		return this.submission;
	}

}
