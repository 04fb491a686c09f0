package io.idempotent.transaction;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Finds the resource of a transaction that supports savepoints. Needs spring-jdbc, as
 * such transactions do.
 */
final class JdbcTransactions {

	private JdbcTransactions() {
	}

	/**
	 * The resource of a transaction.
	 * @param execution the transaction
	 * @return the connection holder that is bound to the thread, or {@code null} if it is
	 * not known
	 */
	static @Nullable Object resourceOf(TransactionExecution execution) {
		return (execution instanceof DefaultTransactionStatus status && status.hasTransaction()
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? jdbc.getConnectionHolder() : null;
	}

}
