package io.idempotent.transaction;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;

/**
 * Observes each transaction of a transaction manager from its start. Without an observer
 * among a manager's listeners, transactions are observed from their first use by this
 * library. Several observers of one manager do not interfere.
 */
public class TransactionObserver implements TransactionExecutionListener {

	@Override
	public final void beforeBegin(TransactionExecution transaction) {
		if (isOfThread(transaction)) {
			ThreadTransactions.beginning(transaction);
		}
	}

	@Override
	public final void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		ObservedTransaction begun = isOfThread(transaction) ? ThreadTransactions.began(transaction, beginFailure)
				: null;
		if (begun != null) {
			began(begun);
		}
	}

	/**
	 * A transaction has started, or a savepoint was set in it by {@code NESTED}. Must not
	 * throw: the transaction could not be rolled back yet.
	 */
	protected void began(ObservedTransaction transaction) {
	}

	@Override
	public final void beforeCommit(TransactionExecution transaction) {
		ObservedTransaction innermost = ThreadTransactions.innermost();
		if (innermost != null && innermost.isThatOf(transaction)) {
			innermost.runBeforeCommit();
		}
	}

	@Override
	public final void beforeRollback(TransactionExecution transaction) {
		if (isOfThread(transaction)) {
			ThreadTransactions.rollsBack(transaction);
		}
	}

	@Override
	public final void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		ThreadTransactions.ended(transaction);
	}

	@Override
	public final void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		ThreadTransactions.ended(transaction);
	}

	/** Reactive transactions are not bound to threads. */
	private static boolean isOfThread(TransactionExecution transaction) {
		return transaction instanceof TransactionStatus;
	}

}
