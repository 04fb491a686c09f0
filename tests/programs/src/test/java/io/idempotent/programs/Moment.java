package io.idempotent.programs;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.event.TransactionPhase;

/**
 * When something runs that was put off to the end of a transaction.
 */
enum Moment {

	BEFORE_COMMIT(TransactionPhase.BEFORE_COMMIT), BEFORE_COMPLETION(null), AFTER_COMMIT(TransactionPhase.AFTER_COMMIT),
	AFTER_ROLLBACK(TransactionPhase.AFTER_ROLLBACK), AFTER_COMPLETION(TransactionPhase.AFTER_COMPLETION);

	private final @Nullable TransactionPhase phase;

	Moment(@Nullable TransactionPhase phase) {
		this.phase = phase;
	}

	/** Whether there are listeners of this phase, and not only synchronizations. */
	boolean hasListeners() {
		return this.phase != null;
	}

	/** Whether the transaction is still open. */
	boolean isBefore() {
		return this == BEFORE_COMMIT || this == BEFORE_COMPLETION;
	}

}
