package io.idempotent.programs;

import org.springframework.transaction.event.TransactionPhase;

/**
 * When something runs that was put off to the end of a transaction.
 */
enum Moment {

	BEFORE_COMMIT(TransactionPhase.BEFORE_COMMIT), AFTER_COMMIT(TransactionPhase.AFTER_COMMIT),
	AFTER_ROLLBACK(TransactionPhase.AFTER_ROLLBACK), AFTER_COMPLETION(TransactionPhase.AFTER_COMPLETION);

	private final TransactionPhase phase;

	Moment(TransactionPhase phase) {
		this.phase = phase;
	}

	TransactionPhase phase() {
		return this.phase;
	}

}
