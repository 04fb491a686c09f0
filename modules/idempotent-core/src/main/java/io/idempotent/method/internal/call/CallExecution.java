package io.idempotent.method.internal.call;

import io.idempotent.Refusal;
import io.idempotent.engine.Decision;
import io.idempotent.engine.Lifecycle;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Ending.Plain;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.support.LockedExecution;
import io.idempotent.transaction.TransactionOutcome;
import io.idempotent.transaction.TransactionScope;
import org.jspecify.annotations.Nullable;

/**
 * A call that was decided, until its end. Without a claim it runs unprotected, and its
 * end is not recorded.
 */
public final class CallExecution {

	private final CallOperation operation;

	private final Submission submission;

	private final Lifecycle lifecycle;

	private final Decision decision;

	private final CallResult result;

	private volatile TransactionScope scope = TransactionScope.NONE;

	private volatile boolean skipped;

	private volatile boolean reportedAsFailed;

	private volatile boolean failed = true;

	private volatile boolean repeated;

	CallExecution(CallOperation operation, Submission submission, Lifecycle lifecycle, Decision decision) {
		this.operation = operation;
		this.submission = submission;
		this.lifecycle = lifecycle;
		this.decision = decision;
		this.result = new CallResult(operation, decision.proof());
	}

	CallOperation operation() {
		return this.operation;
	}

	Submission submission() {
		return this.submission;
	}

	public Lifecycle lifecycle() {
		return this.lifecycle;
	}

	public Decision decision() {
		return this.decision;
	}

	/** Whether it is neither refused nor answered, so that it must be ended. */
	public boolean mayRun() {
		return !(this.decision instanceof Decision.Refused || this.decision instanceof Decision.Replay);
	}

	TransactionScope scope() {
		return this.scope;
	}

	/**
	 * Sets the transactions that decide on the call.
	 * @param transactions the transactions in which its body started
	 */
	void within(TransactionScope transactions) {
		this.scope = transactions;
	}

	/**
	 * The result of an earlier invocation of the body no longer counts.
	 */
	void discardResult() {
		this.result.discard();
	}

	/**
	 * The body returns while its transaction is open: its result is stored with the
	 * receipt.
	 */
	void commitsWith(@Nullable Object value) {
		if (proof() != EffectProof.NONE) {
			encode(value);
		}
	}

	/**
	 * The call returned.
	 * @param value its result
	 */
	public void returned(@Nullable Object value) {
		if (!this.skipped) {
			encode(value);
			this.failed = false;
		}
	}

	/**
	 * A method that was skipped has no result. A method that returned has succeeded, even
	 * if its caller gets a {@code LockLostException}.
	 */
	void executed(@Nullable LockedExecution run) {
		this.skipped = run instanceof LockedExecution.Skipped;
		if (run instanceof LockedExecution.Returned ended) {
			returned(ended.result());
		}
	}

	/**
	 * The call failed, whatever was committed.
	 */
	public void failed() {
		this.reportedAsFailed = true;
	}

	/**
	 * The call was repeated under the same claim, which is ended by the later call.
	 * @param call the later call
	 */
	void repeatedBy(CallExecution call) {
		this.repeated = call.decision.claim() == this.decision.claim();
	}

	private EffectProof proof() {
		return this.decision.proof();
	}

	private boolean isUnprotected() {
		return this.decision.claim() == null && proof() == EffectProof.NONE;
	}

	private void encode(@Nullable Object value) {
		if (!isUnprotected() && this.lifecycle.context().storesAnswer()) {
			this.result.set(value);
		}
	}

	/**
	 * Decides on a repeat in the same transaction before the call is ended. After a
	 * failure or a rollback the repeat runs under the same claim; otherwise it gets the
	 * result. It is refused if a commit without a receipt is in doubt.
	 */
	Decision decideRepeat() {
		if (isUnprotected() || this.failed) {
			return this.decision;
		}
		TransactionOutcome guarded = proof().bodyOutcome();
		if ((guarded != null) ? mayBeUndone(guarded) : this.scope.isUndone()) {
			return this.decision;
		}
		return (guarded == null && this.scope.isInDoubt()) ? new Decision.Refused(Refusal.IN_PROGRESS)
				: Decision.completed(this.operation.policy(), this.result.outcome(), this.decision.attempt(), null);
	}

	/** Even if it is in doubt, a repeat may run: its receipt prevents a second effect. */
	private static boolean mayBeUndone(TransactionOutcome guarded) {
		return guarded == TransactionOutcome.ROLLED_BACK || guarded == TransactionOutcome.IN_DOUBT;
	}

	/**
	 * Records how the call ended, after the transactions that decide on it have
	 * completed. A second call does nothing.
	 */
	void end() {
		if (!this.repeated) {
			end(false);
			return;
		}
		if (this.decision.claim() != null) {
			this.lifecycle.observation().endsAs(SubmissionOutcome.RELEASED);
		}
		this.lifecycle.observation().end();
	}

	/**
	 * Records that the outcome of the call is unknown.
	 */
	public void abandon() {
		end(true);
	}

	private void end(boolean abandoned) {
		this.lifecycle.end((running) -> abandoned ? Plain.UNKNOWN : ending(), (running) -> {
		});
	}

	private Ending ending() {
		if (this.skipped) {
			return Plain.SKIPPED;
		}
		TransactionOutcome guarded = proof().bodyOutcome();
		TransactionOutcome decisive = (guarded != null) ? guarded : this.scope.outcome();
		if (decisive == TransactionOutcome.ROLLED_BACK) {
			return Plain.FAILED;
		}
		if (decisive == TransactionOutcome.IN_DOUBT) {
			return (guarded != null) ? Plain.IN_DOUBT : Plain.UNKNOWN;
		}
		if (!this.failed) {
			return new Ending.Completed(this.result.outcome());
		}
		// It threw an exception, but its transaction was committed nevertheless.
		boolean committed = decisive == TransactionOutcome.COMMITTED && mayHaveWritten() && !this.reportedAsFailed;
		return committed ? Plain.COMMITTED : Plain.FAILED;
	}

	/** With receipts the guarded transaction decides, even a read-only one. */
	private boolean mayHaveWritten() {
		return this.scope.isWritable() && !proof().bodyOnlyReads();
	}

}
