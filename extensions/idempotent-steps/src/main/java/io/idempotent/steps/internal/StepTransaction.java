package io.idempotent.steps.internal;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of a step. Every exception rolls it back, a checked one too. Unless the
 * database is {@code null}, it must be on it.
 */
record StepTransaction(PlatformTransactionManager manager, @Nullable DataSource database) {

	<T extends @Nullable Object, X extends Throwable> T execute(String name, ThrowingSupplier<T, X> step) throws X {
		TransactionStatus status = this.manager.getTransaction(new DefaultTransactionDefinition());
		T result;
		try {
			requireDatabase(name);
			result = step.get();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
		return result;
	}

	/** Before the step, which may bind a connection that is not part of it. */
	private void requireDatabase(String name) {
		if (this.database != null && !TransactionSynchronizationManager.hasResource(this.database)) {
			throw new IllegalStateException("The transaction of step '" + name
					+ "' is not on the guarded DataSource: the transaction manager of steps must be that of "
					+ "idempotent.guard.data-source");
		}
	}

	private void rollBack(TransactionStatus status, Throwable cause) {
		try {
			this.manager.rollback(status);
		}
		catch (RuntimeException | Error ex) {
			cause.addSuppressed(ex);
		}
	}

}
