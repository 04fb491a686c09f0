package io.idempotent.webmvc;

import java.util.function.Supplier;

import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * How far an operation has come, and what is known of its answer.
 */
final class SubmissionProgress {

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

	private volatile Phase phase = Phase.BEFORE;

	private volatile @Nullable Throwable failure;

	private volatile @Nullable Supplier<@Nullable TransactionOutcome> transactions;

	private volatile boolean skipped;

	private volatile boolean answerLost;

	private volatile boolean timedOut;

	private volatile boolean refused;

	private volatile boolean unsure;

	/**
	 * Whether the call at hand is the operation: it is not while it runs already, but it
	 * is again where a retry stands around us and the attempt before has failed.
	 * @return whether the operation begins with this call
	 */
	boolean mayBegin() {
		return this.phase == Phase.BEFORE || this.phase == Phase.FAILED;
	}

	boolean hasNotBegun() {
		return this.phase == Phase.BEFORE;
	}

	boolean hasReturned() {
		return this.phase == Phase.RETURNED;
	}

	void begins() {
		this.phase = Phase.RUNNING;
		this.transactions = null;
		this.skipped = false;
	}

	/**
	 * The method was not run, since its lock was not obtained: what is answered is not
	 * the answer of the operation.
	 */
	void skips() {
		this.skipped = true;
	}

	boolean isSkipped() {
		return this.skipped;
	}

	/**
	 * The body of the operation begins, in transactions that decide on it.
	 * @param outcome what becomes of them
	 */
	void beginsWithin(Supplier<@Nullable TransactionOutcome> outcome) {
		this.transactions = outcome;
	}

	/**
	 * The method has returned and its work goes on: its transactions do not decide on it.
	 */
	void goesOn() {
		this.transactions = null;
	}

	/**
	 * Whether the transactions that the body began in were rolled back.
	 * @return whether nothing of it took effect, whatever it returned
	 */
	boolean isRolledBack() {
		Supplier<@Nullable TransactionOutcome> outcome = this.transactions;
		return outcome != null && outcome.get() == TransactionOutcome.ROLLED_BACK;
	}

	void returns() {
		this.phase = Phase.RETURNED;
	}

	void fails(Throwable thrown) {
		this.failure = thrown;
		this.phase = Phase.FAILED;
	}

	/**
	 * Whether something is what the operation itself ended with.
	 * @param thrown what was thrown
	 * @return whether the operation threw it
	 */
	boolean failedWith(Throwable thrown) {
		return this.phase == Phase.FAILED && this.failure == thrown;
	}

	/**
	 * The asynchronous result has come.
	 * @param result the result, or what was thrown
	 */
	void resumes(@Nullable Object result) {
		if (this.phase != Phase.RUNNING) {
			return;
		}
		if (result instanceof Throwable thrown) {
			fails(thrown);
		}
		else {
			returns();
		}
	}

	/**
	 * The request ends here. An asynchronous result that has not come by now is not
	 * waited for, as with a reason in {@code @ResponseStatus}.
	 */
	void isNotAwaited() {
		if (this.phase == Phase.RUNNING) {
			returns();
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
	 * The operation failed in a way that leaves open whether it took effect.
	 */
	void leavesUnknown() {
		this.unsure = true;
	}

	/**
	 * Something threw while the request was handled. After the operation has returned
	 * that concerns its answer only.
	 */
	void handlingFails() {
		if (this.phase == Phase.RETURNED) {
			losesAnswer();
		}
	}

	/**
	 * What is or will be answered is not to be recorded.
	 */
	void losesAnswer() {
		this.answerLost = true;
	}

	boolean isAnswerLost() {
		return this.answerLost;
	}

	boolean isTimedOut() {
		return this.timedOut;
	}

	boolean isRefused() {
		return this.refused;
	}

	boolean isUnsure() {
		return this.unsure;
	}

}
