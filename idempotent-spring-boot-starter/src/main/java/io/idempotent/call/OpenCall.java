package io.idempotent.call;

import io.idempotent.WhenCompleted;
import io.idempotent.store.Claim;
import io.idempotent.store.Decision;
import io.idempotent.store.Effect;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Submission;
import io.idempotent.store.SubmissionContext;
import org.jspecify.annotations.Nullable;

/**
 * A call that may run, from the claim to its end. Without a claim it runs unprotected,
 * and its end says nothing to anybody.
 */
public final class OpenCall {

	private final CallOperation operation;

	private final OperationKey key;

	private final Decision decision;

	private final @Nullable Claim claim;

	private final SubmissionContext context;

	private volatile boolean failed = true;

	private volatile @Nullable Object result;

	private volatile Outcome outcome = Outcome.TOMBSTONE;

	OpenCall(CallOperation operation, Submission submission, SubmissionContext context, Decision decision) {
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

	SubmissionContext context() {
		return this.context;
	}

	Decision decision() {
		return this.decision;
	}

	/**
	 * The call returned.
	 * @param value its result
	 */
	void returned(@Nullable Object value) {
		results(value);
		this.failed = false;
	}

	/**
	 * What the call has done was rolled back, in a transaction that may yet be committed.
	 */
	void undone() {
		this.failed = true;
	}

	/**
	 * Whether something that the call had to commit was rolled back, since it took effect
	 * in another attempt.
	 * @return whether its own result is that of nothing
	 */
	boolean isDuplicate() {
		Effect effect = this.decision.effect();
		return effect != null && effect.isDuplicate();
	}

	/**
	 * The call has come to a result, which is kept with its receipt if that is not
	 * committed yet.
	 * @param value its result
	 */
	void results(@Nullable Object value) {
		Effect effect = this.decision.effect();
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

	private boolean isEncoded(@Nullable Object value) {
		return value != null && value == this.result;
	}

	/**
	 * What a repeat in the same transaction gets before the call is ended: the claim once
	 * more after a failure, and the result otherwise.
	 * @return the decision
	 */
	Decision again() {
		return ((this.claim == null && this.decision.effect() == null) || this.failed) ? this.decision
				: Decision.completed(this.operation.policy(), this.outcome, this.decision.attempt());
	}

	/**
	 * Records how the call ended. A second end does nothing.
	 * @param fate what became of the transaction that the call was made in
	 */
	void end(Fate fate) {
		if (this.claim == null) {
			return;
		}
		try {
			end(this.claim, fate);
		}
		finally {
			// Nothing after an end; but what nobody ends would be renewed for ever.
			this.claim.fallSilent();
		}
	}

	/**
	 * Nobody says how the call ended.
	 */
	void abandon() {
		if (this.claim != null) {
			this.claim.abandon();
		}
	}

	private void end(Claim running, Fate fate) {
		if (fate == Fate.UNKNOWN) {
			running.abandon();
		}
		else if (fate == Fate.COMMITTED && !this.failed) {
			running.complete(this.outcome, this.context.retention(running));
		}
		else {
			running.fail();
		}
	}

}
