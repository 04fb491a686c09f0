package io.idempotent.steps.internal;

import javax.sql.DataSource;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What transactional steps need: a transaction, and the tables that are part of it. */
record TransactionalSteps(StepTransaction transaction, StepTables tables, DataSource dataSource) {

	/** Before the step, which may bind a connection that is not part of it. */
	void requireTransaction(String name) {
		if (!TransactionSynchronizationManager.hasResource(this.dataSource)) {
			throw new IllegalStateException("The transaction of step '" + name
					+ "' is not on the guarded DataSource: the transaction manager of steps must be that of "
					+ "idempotent.guard.data-source");
		}
	}

}
