package io.idempotent.transaction;

import java.sql.Connection;
import java.sql.SQLException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions on a JDBC connection, which support savepoints. Needs spring-jdbc. */
final class JdbcTransactions {

	private static final Log logger = LogFactory.getLog(ObservedTransaction.class);

	private JdbcTransactions() {
	}

	/** {@code null} if not known. */
	static @Nullable ConnectionHolder resourceOf(TransactionExecution execution) {
		return (execution instanceof DefaultTransactionStatus status && status.hasTransaction()
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? jdbc.getConnectionHolder() : null;
	}

	/**
	 * Without effect if already rolled back; as reported if there is no connection, or it
	 * commits each statement again, as after a rollback by Hibernate.
	 */
	static TransactionOutcome rollBack(TransactionExecution execution, TransactionOutcome reported) {
		ConnectionHolder holder = resourceOf(execution);
		if (holder == null) {
			return reported;
		}
		try {
			Connection connection = holder.getConnection();
			if (connection.getAutoCommit()) {
				return reported;
			}
			connection.rollback();
			return TransactionOutcome.ROLLED_BACK;
		}
		catch (SQLException | RuntimeException ex) {
			logger.warn("A transaction that failed before its commit could not be rolled back", ex);
			return TransactionOutcome.IN_DOUBT;
		}
	}

}
