package io.idempotent.method.internal.call;

import io.idempotent.function.ThrowingRunnable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Transactions of batches, which any exception rolls back. */
record ItemTransactions(PlatformTransactionManager manager) {

	void execute(ThrowingRunnable<Throwable> work) throws Throwable {
		TransactionStatus status = this.manager.getTransaction(new DefaultTransactionDefinition());
		try {
			work.run();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
	}

	private void rollBack(TransactionStatus status, Throwable reason) {
		try {
			this.manager.rollback(status);
		}
		catch (RuntimeException | Error ex) {
			ex.addSuppressed(reason);
			throw ex;
		}
	}

}
