package io.idempotent.engine;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import org.jspecify.annotations.Nullable;

/**
 * An owner's last word that the store has not taken yet.
 *
 * @param claim the claim
 * @param operation the name of the operation
 * @param word the word
 * @param type what to tell once it is taken, or {@code null} if nobody cares
 * @param failures how often the store failed on it in another way than by being
 * unavailable
 */
record PendingEnd(ClaimId claim, String operation, EndOfClaim word, IdempotencyEvent.@Nullable Type type,
		int failures) {

	/** About what an entry takes in memory beside the answer. */
	private static final int OVERHEAD = 300;

	PendingEnd(ClaimId claim, String operation, EndOfClaim word, IdempotencyEvent.@Nullable Type type) {
		this(claim, operation, word, type, 0);
	}

	int size() {
		return OVERHEAD + this.word.size();
	}

	PendingEnd withoutAnswer() {
		return (this.word instanceof EndOfClaim.Completed completed)
				? new PendingEnd(this.claim, this.operation, completed.withoutAnswer(), this.type, this.failures)
				: this;
	}

	PendingEnd failedAgain() {
		return new PendingEnd(this.claim, this.operation, this.word, this.type, this.failures + 1);
	}

}
