package io.idempotent.webmvc.internal.submission;

import java.util.function.Supplier;

import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * How far the handler method has come. The container's threads may update and read it
 * concurrently.
 */
public final class SubmissionProgress {

	private volatile State state = Phase.NOT_STARTED;

	private volatile @Nullable Supplier<@Nullable TransactionOutcome> transactions;

	private volatile boolean timedOut;

	private volatile boolean effectUnknown;

	/**
	 * Whether the current call of the handler method is to run as the operation: not
	 * while it already runs, but again when a retry advice repeats a failed attempt.
	 */
	public boolean mayStart() {
		return this.state == Phase.NOT_STARTED || this.state instanceof Failed;
	}

	public boolean hasNotStarted() {
		return this.state == Phase.NOT_STARTED;
	}

	boolean isSkipped() {
		return this.state == Phase.SKIPPED;
	}

	/**
	 * Whether the operation has returned or was skipped. An asynchronous one returns when
	 * its result is available.
	 */
	boolean hasReturned() {
		return this.state == Phase.RETURNED || this.state == Phase.SKIPPED;
	}

	/**
	 * Whether the operation itself ended with an exception.
	 * @param thrown the exception
	 */
	public boolean failedWith(Throwable thrown) {
		return this.state instanceof Failed failed && failed.thrown() == thrown;
	}

	public void started() {
		this.state = Phase.RUNNING;
		this.transactions = null;
	}

	/**
	 * The body of the handler method starts within transactions whose outcome decides
	 * whether the operation took effect.
	 * @param proof the proof of the effect, whose own transaction takes precedence
	 * @param open the transactions that are open now
	 */
	void bodyStarted(EffectProof proof, TransactionScope open) {
		this.transactions = () -> {
			TransactionOutcome guarded = proof.bodyOutcome();
			return (guarded != null) ? guarded : open.outcome();
		};
	}

	/**
	 * The method has returned, but its work continues outside its transactions, so that
	 * their outcome decides nothing.
	 */
	public void continuesAsynchronously() {
		this.transactions = null;
	}

	/**
	 * The method was not run, because its lock was not obtained: the response is not the
	 * operation's.
	 */
	public void skipped() {
		this.state = Phase.SKIPPED;
	}

	public void returned() {
		this.state = Phase.RETURNED;
	}

	void failed(Throwable thrown) {
		this.state = new Failed(thrown);
	}

	/**
	 * The asynchronous result is available.
	 * @param result the result or the exception
	 */
	public void resumed(@Nullable Object result) {
		if (this.state != Phase.RUNNING) {
			return;
		}
		if (result instanceof Throwable thrown) {
			failed(thrown);
		}
		else {
			returned();
		}
	}

	/**
	 * The request ends without asynchronous processing. If the result is not available
	 * now, nobody will wait for it, for example because of a reason in
	 * {@code @ResponseStatus}.
	 */
	public void endedSynchronously() {
		if (this.state == Phase.RUNNING) {
			returned();
		}
	}

	/**
	 * Whether the transactions in which the body started were rolled back, so that
	 * nothing took effect whatever the method returned.
	 */
	boolean isRolledBack() {
		Supplier<@Nullable TransactionOutcome> outcome = this.transactions;
		return outcome != null && outcome.get() == TransactionOutcome.ROLLED_BACK;
	}

	/**
	 * The container no longer waits for the asynchronous result; the operation may still
	 * run.
	 */
	void timedOut() {
		this.timedOut = true;
	}

	/**
	 * The request ends before its asynchronous processing: the same as after a time-out,
	 * if the operation still runs.
	 */
	public void leftRunning() {
		if (this.state == Phase.RUNNING) {
			timedOut();
		}
	}

	boolean isTimedOut() {
		return this.timedOut;
	}

	/**
	 * The operation failed in a way that leaves open whether it took effect.
	 */
	public void effectUnknown() {
		this.effectUnknown = true;
	}

	boolean isEffectUnknown() {
		return this.effectUnknown;
	}

	/**
	 * The state of the handler method.
	 */
	private sealed interface State {

	}

	private enum Phase implements State {

		NOT_STARTED, RUNNING, SKIPPED, RETURNED

	}

	private record Failed(Throwable thrown) implements State {
	}

}
