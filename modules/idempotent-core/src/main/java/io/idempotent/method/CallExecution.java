package io.idempotent.method;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.Claim;
import io.idempotent.engine.Decision;
import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.support.LockedExecution;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A call that may run, from the claim to its end. Without a claim it runs unprotected,
 * and its end says nothing to anybody.
 */
public final class CallExecution {

	private final CallOperation operation;

	private final OperationKey key;

	private final Decision decision;

	private final @Nullable Claim claim;

	private final SubmissionContext context;

	private volatile CallScope scope = CallScope.NONE;

	private volatile boolean skipped;

	private volatile boolean saidToHaveFailed;

	private volatile boolean failed = true;

	private volatile boolean repeated;

	private volatile @Nullable Object result;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	CallExecution(CallOperation operation, Submission submission, SubmissionContext context, Decision decision) {
		this.operation = operation;
		this.key = submission.key();
		this.decision = decision;
		this.claim = decision.claim();
		this.context = context;
		this.context.decided(submission, decision);
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

	Decision decision() {
		return this.decision;
	}

	CallScope scope() {
		return this.scope;
	}

	/**
	 * The body begins, maybe once more.
	 * @param transactions what decides on it
	 */
	void within(CallScope transactions) {
		this.scope = transactions;
	}

	/**
	 * What is told by the body of this call.
	 * @param ends when its end is recorded
	 * @param gate the state machine
	 * @return the body
	 */
	CallBody body(CallCompletion ends, IdempotencyGate gate) {
		return new Body(ends, gate);
	}

	/**
	 * The call returned.
	 * @param value its result
	 */
	void returned(@Nullable Object value) {
		if (this.skipped) {
			return;
		}
		results(value);
		this.failed = false;
	}

	/**
	 * The call says that it failed, whatever was committed.
	 */
	void failed() {
		this.saidToHaveFailed = true;
	}

	/**
	 * The call was made once more under the same claim, which that call ends.
	 * @param call the later call
	 */
	void isRepeatedBy(CallExecution call) {
		this.repeated = call.claim == this.claim;
	}

	/**
	 * Whether something that the call had to commit was rolled back, since it took effect
	 * in another attempt.
	 * @return whether its own result is that of nothing
	 */
	boolean isDuplicate() {
		EffectStatus effect = this.decision.effect();
		return effect != null && effect.isDuplicate();
	}

	private void results(@Nullable Object value) {
		EffectStatus effect = this.decision.effect();
		if ((this.claim == null && effect == null) || !this.context.storesAnswer()
				|| this.operation.policy().whenCompleted() != WhenCompleted.REPLAY || isEncoded(value)) {
			return;
		}
		this.outcome = this.operation.results().encode(value, this.operation.name());
		this.result = value;
		if (effect != null) {
			effect.outcome(this.outcome);
		}
	}

	/**
	 * An earlier invocation, maybe of an earlier call under the same claim, was undone.
	 */
	private void forgetResult() {
		this.result = null;
		EffectStatus effect = this.decision.effect();
		if (effect != null) {
			effect.outcome(Outcome.TOMBSTONE);
		}
	}

	private boolean isEncoded(@Nullable Object value) {
		return value != null && value == this.result;
	}

	/**
	 * What a repeat in the same transaction gets before the call is ended: the claim once
	 * more after a failure or a rollback, and the result otherwise. Neither where a
	 * commit is in doubt that no receipt was written with.
	 * @return the decision
	 */
	Decision again() {
		EffectStatus effect = this.decision.effect();
		boolean unprotected = this.claim == null && effect == null;
		if (unprotected || this.failed) {
			return this.decision;
		}
		TransactionOutcome guarded = (effect != null) ? effect.transactions().bodyOutcome() : null;
		if ((guarded != null) ? isPerhapsUndone(guarded) : this.scope.isUndone()) {
			return this.decision;
		}
		return (guarded == null && this.scope.isInDoubt()) ? new Decision.Refused(Refusal.IN_PROGRESS)
				: Decision.completed(this.operation.policy(), this.outcome, this.decision.attempt());
	}

	/** In doubt it may run: its receipt has the last word. */
	private static boolean isPerhapsUndone(TransactionOutcome guarded) {
		return guarded == TransactionOutcome.ROLLED_BACK || guarded == TransactionOutcome.IN_DOUBT;
	}

	/**
	 * Records how the call ended, after the transactions have completed that decide on
	 * it. A second end does nothing.
	 */
	void end() {
		if (this.claim == null || this.repeated) {
			return;
		}
		try {
			end(this.claim);
		}
		finally {
			// Nothing after an end; but what nobody ends would be renewed for ever.
			this.claim.stopRenewing();
		}
	}

	/**
	 * Nobody says how the call ended.
	 */
	void abandon() {
		if (this.claim != null) {
			try {
				this.claim.abandon();
			}
			finally {
				this.claim.stopRenewing();
			}
		}
	}

	private void end(Claim running) {
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
			running.complete(this.outcome, running.retention());
		}
		else if (decisive == TransactionOutcome.COMMITTED && this.scope.isWritable() && !this.saidToHaveFailed) {
			// It threw, and what it did was committed all the same.
			running.completeAsProven();
		}
		else {
			running.fail();
		}
	}

	/**
	 * A method that was not run leaves no result. One that returned has ended well,
	 * though its caller is told of a lost lock.
	 */
	private void lockedRun(@Nullable LockedExecution run) {
		this.skipped = run instanceof LockedExecution.Skipped;
		if (run instanceof LockedExecution.Returned ended) {
			returned(ended.result());
		}
	}

	private final class Body implements CallBody {

		private final CallCompletion ends;

		private final IdempotencyGate gate;

		Body(CallCompletion ends, IdempotencyGate gate) {
			this.ends = ends;
			this.gate = gate;
		}

		@Override
		public SubmissionContext context() {
			return CallExecution.this.context;
		}

		@Override
		public void begins() {
			forgetResult();
			this.ends.begins(CallExecution.this);
			this.gate.receipts().bodyBegins(CallExecution.this.decision.effect());
		}

		@Override
		public void results(@Nullable Object value) {
			if (CallExecution.this.decision.effect() != null) {
				CallExecution.this.results(value);
			}
		}

		@Override
		public void lockedRun(@Nullable LockedExecution run) {
			CallExecution.this.lockedRun(run);
		}

	}

}
