package io.idempotent.engine;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import org.jspecify.annotations.Nullable;

/**
 * An owner's last word that the store has not taken yet.
 *
 * @param claim the claim
 * @param operation the name of the operation
 * @param completion the word
 * @param type what to tell once it is taken, or {@code null} if nobody cares
 * @param failures how often the store failed on it in another way than by being
 * unavailable
 */
record PendingWrite(ClaimId claim, String operation, ClaimCompletion completion, IdempotencyEvent.@Nullable Type type,
		int failures) {

	/** About what an entry takes in memory beside the answer. */
	private static final int OVERHEAD = 300;

	PendingWrite(ClaimId claim, String operation, ClaimCompletion completion, IdempotencyEvent.@Nullable Type type) {
		this(claim, operation, completion, type, 0);
	}

	int size() {
		return OVERHEAD + this.completion.size();
	}

	PendingWrite withoutAnswer() {
		return (this.completion instanceof ClaimCompletion.Completed completed)
				? new PendingWrite(this.claim, this.operation, completed.withoutAnswer(), this.type, this.failures)
				: this;
	}

	PendingWrite failedAgain() {
		return new PendingWrite(this.claim, this.operation, this.completion, this.type, this.failures + 1);
	}

}
