package io.idempotent.steps.internal;

import io.idempotent.function.ThrowingSupplier;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The transaction of a step. Every exception rolls it back, a checked one too.
 */
record StepTransaction(PlatformTransactionManager manager) {

	<T extends @Nullable Object, X extends Throwable> T execute(ThrowingSupplier<T, X> step) throws X {
		TransactionStatus status = this.manager.getTransaction(new DefaultTransactionDefinition());
		T result;
		try {
			result = step.get();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
		return result;
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
