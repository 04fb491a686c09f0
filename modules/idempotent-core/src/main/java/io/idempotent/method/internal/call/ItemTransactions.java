package io.idempotent.method.internal.call;

import java.io.Serial;

import io.idempotent.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Transactions of batches, which any exception rolls back. */
record ItemTransactions(PlatformTransactionManager manager) {

	<X extends Throwable> void execute(ThrowingRunnable<X> work) throws X {
		TransactionStatus status = begin(TransactionDefinition.PROPAGATION_REQUIRED);
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

	/** Within the transaction, after a savepoint. */
	<X extends Throwable> void nested(ThrowingRunnable<X> work) throws X {
		TransactionStatus savepoint = begin(TransactionDefinition.PROPAGATION_NESTED);
		try {
			work.run();
		}
		catch (Throwable ex) {
			complete(() -> this.manager.rollback(savepoint), ex);
			throw ex;
		}
		complete(() -> this.manager.commit(savepoint), null);
	}

	private void complete(Runnable end, @Nullable Throwable reason) {
		try {
			end.run();
		}
		catch (RuntimeException ex) {
			LostSavepointException lost = new LostSavepointException(ex);
			if (reason != null) {
				lost.addSuppressed(reason);
			}
			// Whoever handles the exception: the transaction cannot be committed.
			this.manager.rollback(begin(TransactionDefinition.PROPAGATION_REQUIRED));
			throw lost;
		}
	}

	private TransactionStatus begin(int propagation) {
		return this.manager.getTransaction(new DefaultTransactionDefinition(propagation));
	}

	/**
	 * The transaction must not be committed: the item may still be part of it, and the
	 * items before may not, since MySQL rolls back the whole transaction at a deadlock.
	 */
	static final class LostSavepointException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		LostSavepointException(RuntimeException cause) {
			super("The savepoint of an item could not be ended", cause);
		}

	}

}
