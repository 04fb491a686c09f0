package io.idempotent.programs;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Does something at the end of a transaction.
 *
 * @param moment when
 * @param work what it does
 */
record Callback(Moment moment, Runnable work) implements TransactionSynchronization {

	@Override
	public void beforeCommit(boolean readOnly) {
		run(Moment.BEFORE_COMMIT);
	}

	@Override
	public void beforeCompletion() {
		run(Moment.BEFORE_COMPLETION);
	}

	@Override
	public void afterCommit() {
		run(Moment.AFTER_COMMIT);
	}

	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_ROLLED_BACK) {
			run(Moment.AFTER_ROLLBACK);
		}
		run(Moment.AFTER_COMPLETION);
	}

	private void run(Moment now) {
		if (this.moment == now) {
			this.work.run();
		}
	}

}
