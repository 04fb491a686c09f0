package io.idempotent.method;

import io.idempotent.Refusal;
import io.idempotent.engine.Claim;
import io.idempotent.engine.Decision;
import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.SubmissionObservation;
import io.idempotent.engine.SubmissionOutcome;
import io.idempotent.support.LockedExecution;
import io.idempotent.store.OperationKey;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A call that may run, from the claim to its end. Without a claim it runs unprotected,
 * and its end is not recorded.
 */
public final class CallExecution {

	private final CallOperation operation;

	private final OperationKey key;

	private final Decision decision;

	private final @Nullable Claim claim;

	private final SubmissionContext context;

	private final SubmissionObservation observation;

	private volatile CallScope scope = CallScope.NONE;

	private volatile boolean skipped;

	private volatile boolean reportedAsFailed;

	private volatile boolean failed = true;

	private volatile boolean repeated;

	private final CallResult result;

	CallExecution(CallOperation operation, Submission submission, SubmissionContext context, Decision decision,
			SubmissionObservation observation) {
		this.operation = operation;
		this.key = submission.key();
		this.decision = decision;
		this.claim = decision.claim();
		this.observation = observation;
		this.context = context;
		this.context.decided(submission, decision);
		this.result = new CallResult(operation, decision.effect());
	}

	OperationKey key() {
		return this.key;
	}

	String operation() {
		return this.operation.name();
	}

	SubmissionContext context() {
		return this.context;
	}

	SubmissionObservation observation() {
		return this.observation;
	}

	Decision decision() {
		return this.decision;
	}

	CallScope scope() {
		return this.scope;
	}

	/**
	 * Sets the transactions that decide on the call.
	 * @param transactions the transactions in which its body has begun
	 */
	void within(CallScope transactions) {
		this.scope = transactions;
	}

	/**
	 * Returns the callbacks of this call's body.
	 * @param completion records the end of the call
	 * @param gate the state machine
	 */
	CallBody body(CallCompletion completion, IdempotencyGate gate) {
		return new Body(completion, gate);
	}

	/**
	 * The call returned.
	 * @param value its result
	 */
	void returned(@Nullable Object value) {
		if (this.skipped) {
			return;
		}
		encode(value);
		this.failed = false;
	}

	/**
	 * The call reports that it failed, whatever was committed.
	 */
	void failed() {
		this.reportedAsFailed = true;
	}

	/**
	 * The call was repeated under the same claim, which is ended by the later call.
	 * @param call the later call
	 */
	void repeatedBy(CallExecution call) {
		this.repeated = call.claim == this.claim;
	}

	/**
	 * Whether a transaction of the call was rolled back, because the operation took
	 * effect in another attempt.
	 * @return whether the call's own result does not count
	 */
	boolean isDuplicate() {
		EffectStatus effect = this.decision.effect();
		return effect != null && effect.isDuplicate();
	}

	private void encode(@Nullable Object value) {
		boolean recorded = this.claim != null || this.decision.effect() != null;
		if (recorded && this.context.storesAnswer()) {
			this.result.set(value);
		}
	}

	/**
	 * Decides on a repeat in the same transaction before the call is ended. After a
	 * failure or a rollback the repeat runs under the same claim; otherwise it gets the
	 * result. It is refused if a commit without a receipt is in doubt.
	 */
	Decision decideRepeat() {
		EffectStatus effect = this.decision.effect();
		boolean unprotected = this.claim == null && effect == null;
		if (unprotected || this.failed) {
			return this.decision;
		}
		TransactionOutcome guarded = (effect != null) ? effect.transactions().bodyOutcome() : null;
		if ((guarded != null) ? mayBeUndone(guarded) : this.scope.isUndone()) {
			return this.decision;
		}
		return (guarded == null && this.scope.isInDoubt()) ? new Decision.Refused(Refusal.IN_PROGRESS)
				: Decision.completed(this.operation.policy(), this.result.outcome(), this.decision.attempt(), null);
	}

	/** If it is in doubt, a repeat may run: its receipt prevents a second effect. */
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
		if (this.claim != null) {
			this.observation.endsAs(SubmissionOutcome.RELEASED);
		}
		this.observation.end();
	}

	/**
	 * Records that the outcome of the call is unknown.
	 */
	void abandon() {
		end(true);
	}

	@SuppressWarnings("try") // the scope ends with the block
	private void end(boolean abandoned) {
		try (SubmissionObservation.Scope scope = this.observation.openScope()) {
			if (this.claim != null) {
				end(this.claim, abandoned);
			}
		}
		finally {
			this.observation.end();
		}
	}

	private void end(Claim running, boolean abandoned) {
		try {
			if (abandoned) {
				running.abandon();
			}
			else {
				record(running);
			}
		}
		finally {
			// Without effect after an end; otherwise the claim would be renewed for ever.
			running.stopRenewing();
		}
	}

	private void record(Claim running) {
		EffectStatus effect = this.decision.effect();
		TransactionOutcome guarded = (effect != null) ? effect.transactions().bodyOutcome() : null;
		running.rememberFor(this.context.retention(running));
		if (this.skipped) {
			running.wasNotRun();
			return;
		}
		TransactionOutcome decisive = (guarded != null) ? guarded : this.scope.outcome();
		if (decisive == TransactionOutcome.ROLLED_BACK) {
			running.fail();
		}
		else if (decisive == TransactionOutcome.IN_DOUBT && guarded != null) {
			running.endInDoubt();
		}
		else if (decisive == TransactionOutcome.IN_DOUBT) {
			running.abandon();
		}
		else if (!this.failed) {
			running.complete(this.result.outcome(), running.retention());
		}
		else if (decisive == TransactionOutcome.COMMITTED && mayHaveWritten() && !this.reportedAsFailed) {
			// It threw an exception, but its transaction was committed nevertheless.
			running.completeAsProven();
		}
		else {
			running.fail();
		}
	}

	/** With receipts the guarded transaction decides, be it read-only. */
	private boolean mayHaveWritten() {
		EffectStatus effect = this.decision.effect();
		return this.scope.isWritable() && (effect == null || !effect.transactions().bodyOnlyReads());
	}

	/**
	 * A method that was skipped has no result. A method that returned has succeeded, even
	 * if its caller gets a {@code LockLostException}.
	 */
	private void executed(@Nullable LockedExecution run) {
		this.skipped = run instanceof LockedExecution.Skipped;
		if (run instanceof LockedExecution.Returned ended) {
			returned(ended.result());
		}
	}

	private final class Body implements CallBody {

		private final CallCompletion completion;

		private final IdempotencyGate gate;

		Body(CallCompletion completion, IdempotencyGate gate) {
			this.completion = completion;
			this.gate = gate;
		}

		@Override
		public SubmissionContext context() {
			return CallExecution.this.context;
		}

		@Override
		public void begins() {
			CallExecution.this.result.discard();
			this.completion.bodyBegins(CallExecution.this);
			this.gate.receipts().bodyBegins(CallExecution.this.decision.effect());
		}

		@Override
		public void returns(@Nullable Object value) {
			if (CallExecution.this.decision.effect() != null) {
				encode(value);
			}
		}

		@Override
		public void executed(@Nullable LockedExecution execution) {
			CallExecution.this.executed(execution);
		}

	}

}
