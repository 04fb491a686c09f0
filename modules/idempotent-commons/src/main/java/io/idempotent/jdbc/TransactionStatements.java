package io.idempotent.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs statements in the transaction that the caller has on the guarded database, within
 * what is left of its timeout. It fails as {@code JdbcTemplate} does, but costs less: it
 * creates no proxy of the connection.
 */
public final class TransactionStatements {

	private static final int NO_TIMEOUT = 0;

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final Class<?> owner;

	private volatile @Nullable Dialect dialect;

	/**
	 * Creates it; connects to nothing yet.
	 * @param owner the class whose package has the {@code schema-*.sql} of the table
	 */
	public TransactionStatements(DataSource dataSource, Class<?> owner) {
		this.dataSource = ShortStatements.unwrap(dataSource);
		this.owner = owner;
	}

	/**
	 * Runs statements once.
	 * @param what what they do, for failures
	 * @throws IllegalStateException if the transaction is on another database only, since
	 * each statement would be committed at once
	 * @throws DataAccessException if the database refuses a statement
	 */
	public <T extends @Nullable Object> T run(String what, ThrowingFunction<StatementSession, T, SQLException> work) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			if (connection.getAutoCommit()) {
				throw new IllegalStateException("This transaction cannot " + what
						+ ", since it is not on the guarded DataSource: begin it there. If it is, its connection is in "
						+ "auto-commit: set spring.datasource.hikari.auto-commit=false, or remove "
						+ "hibernate.connection.provider_disables_autocommit");
			}
			return work.apply(new StatementSession(connection, dialect(connection), secondsLeft()));
		}
		catch (SQLException ex) {
			throw failure(what, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private Dialect dialect(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			known = Dialect.of(connection);
			this.dialect = known;
		}
		return known;
	}

	private int secondsLeft() {
		return (TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder
				&& holder.hasTimeout()) ? holder.getTimeToLiveInSeconds() : NO_TIMEOUT;
	}

	private DataAccessException failure(String what, SQLException ex) {
		DataAccessException failure = TRANSLATOR.translate(what, null, ex);
		if (Conflict.isCauseOf(ex) && !(failure instanceof ConcurrencyFailureException)) {
			return new CannotAcquireLockException("The guarded database did not " + what + ": " + ex.getMessage(), ex);
		}
		// SQL Server's driver gives a missing table a state of its own.
		if (failure == null || failure instanceof BadSqlGrammarException
				|| failure instanceof UncategorizedSQLException) {
			return new InvalidDataAccessResourceUsageException("The guarded database did not " + what
					+ ", so that the transaction is rolled back: if the table is missing, create it with the "
					+ "schema-*.sql of " + this.owner.getPackageName() + ", or let idempotent.initialize-schema do so",
					ex);
		}
		return failure;
	}

}
