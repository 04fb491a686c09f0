package io.idempotent.programs;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Listeners of each phase, one that asks to be the first and one that does not.
 */
class EventListeners {

	@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
	void beforeCommit(Event event) {
		hear(event, Moment.BEFORE_COMMIT, false);
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
	void beforeCommitOrdered(Event event) {
		hear(event, Moment.BEFORE_COMMIT, true);
	}

	@TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
	void afterCommit(Event event) {
		hear(event, Moment.AFTER_COMMIT, false);
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
	void afterCommitOrdered(Event event) {
		hear(event, Moment.AFTER_COMMIT, true);
	}

	@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
	void afterRollback(Event event) {
		hear(event, Moment.AFTER_ROLLBACK, false);
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
	void afterRollbackOrdered(Event event) {
		hear(event, Moment.AFTER_ROLLBACK, true);
	}

	@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
	void afterCompletion(Event event) {
		hear(event, Moment.AFTER_COMPLETION, false);
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
	void afterCompletionOrdered(Event event) {
		hear(event, Moment.AFTER_COMPLETION, true);
	}

	private static void hear(Event event, Moment moment, boolean ordered) {
		if (event.is(moment, ordered)) {
			event.body().run();
		}
	}

}
