package io.idempotent.engine;

import java.util.function.Consumer;

import io.idempotent.IdempotencyEvent;
import io.idempotent.store.ClaimId;
import org.jspecify.annotations.Nullable;

/**
 * A completion that the store has not accepted yet.
 *
 * @param claim the claim
 * @param operation the name of the operation
 * @param completion the completion
 * @param type the event to publish once it is written, or {@code null} for none
 * @param lost is called with the completion if another owner is found
 * @param failures how often the store failed unexpectedly, not counting outages
 */
record PendingWrite(ClaimId claim, String operation, ClaimCompletion completion, IdempotencyEvent.@Nullable Type type,
		Consumer<ClaimCompletion> lost, int failures) {

	/** The approximate memory of an entry, without the answer. */
	private static final int OVERHEAD = 300;

	PendingWrite(ClaimId claim, String operation, ClaimCompletion completion, IdempotencyEvent.@Nullable Type type,
			Consumer<ClaimCompletion> lost) {
		this(claim, operation, completion, type, lost, 0);
	}

	/**
	 * Withdraws a claim under which nothing has run.
	 */
	static PendingWrite withdrawal(ClaimId claim, String operation, ClaimCompletion.Withdrawn withdrawn) {
		return new PendingWrite(claim, operation, withdrawn, null, (completion) -> {
		});
	}

	int size() {
		return OVERHEAD + this.completion.size();
	}

	PendingWrite withoutAnswer() {
		return (this.completion instanceof ClaimCompletion.Completed completed) ? new PendingWrite(this.claim,
				this.operation, completed.withoutAnswer(), this.type, this.lost, this.failures) : this;
	}

	PendingWrite failedAgain() {
		return new PendingWrite(this.claim, this.operation, this.completion, this.type, this.lost, this.failures + 1);
	}

}
