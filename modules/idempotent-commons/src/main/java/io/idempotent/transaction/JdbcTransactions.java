package io.idempotent.transaction;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Names the resource of a transaction that may have savepoints. Needs spring-jdbc, as
 * those transactions do.
 */
final class JdbcTransactions {

	private JdbcTransactions() {
	}

	/**
	 * The resource that a transaction takes part in.
	 * @param execution the transaction
	 * @return what is bound to the thread for its connection, or {@code null} if that is
	 * not known
	 */
	static @Nullable Object resourceOf(TransactionExecution execution) {
		return (execution instanceof DefaultTransactionStatus status && status.hasTransaction()
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? jdbc.getConnectionHolder() : null;
	}

}
