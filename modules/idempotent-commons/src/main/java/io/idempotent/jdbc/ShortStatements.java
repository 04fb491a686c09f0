package io.idempotent.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Runs short statements outside any transaction of the caller, on connections of their
 * own. Each statement is committed when it returns.
 */
public final class ShortStatements {

	private static final int ATTEMPTS = 3;

	/**
	 * MySQL, MariaDB: {@code READ COMMITTED} is not possible with a binary log of
	 * statements.
	 */
	private static final int ISOLATION_REFUSED = 1665;

	/** Oracle, SQL Server. */
	private static final Set<Integer> MISSING_TABLE_CODES = Set.of(942, 208);

	/** The server's own timeout takes effect first, unless the server is gone. */
	private static final Duration NETWORK_MARGIN = Duration.ofSeconds(1);

	private final DataSource dataSource;

	private final Duration timeout;

	private final StatementFailures failures;

	private final ThrowingFunction<Connection, Dialect, SQLException> dialects;

	private volatile @Nullable Dialect dialect;

	public ShortStatements(DataSource dataSource, Duration timeout, StatementFailures failures,
			ThrowingFunction<Connection, Dialect, SQLException> dialects) {
		if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("The timeout of statements is " + DurationText.of(timeout)
					+ ", but JDBC counts timeouts in whole seconds: give at least 1s");
		}
		this.dataSource = withoutTransactions(dataSource);
		this.timeout = timeout;
		this.failures = failures;
		this.dialects = dialects;
	}

	/**
	 * To switch the connection of a transaction to auto-commit would commit it. The proxy
	 * that gives such connections may be behind a wrapper. A routing DataSource is not
	 * asked: it would answer for the database of the current thread, or fail.
	 */
	private static DataSource withoutTransactions(DataSource dataSource) {
		DataSource proxy = (findWrapped(dataSource, AbstractRoutingDataSource.class) == null)
				? findWrapped(dataSource, TransactionAwareDataSourceProxy.class) : null;
		return unwrap((proxy != null) ? proxy : dataSource);
	}

	/** The DataSource itself, or one behind it, as far as it answers. */
	public static <T extends DataSource> @Nullable T findWrapped(DataSource dataSource, Class<T> type) {
		try {
			return dataSource.isWrapperFor(type) ? dataSource.unwrap(type) : null;
		}
		catch (SQLException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * The target of a proxy that binds connections to transactions, or the argument, as
	 * Spring's transaction managers have it.
	 */
	public static DataSource unwrap(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	/** In seconds. */
	public int timeout() {
		return Math.toIntExact(this.timeout.toSeconds());
	}

	public Dialect dialect(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			known = this.dialects.apply(connection);
			this.dialect = known;
		}
		return known;
	}

	/**
	 * Repeated twice if the database rolls it back because of a {@link Conflict}, also on
	 * an interrupted thread. All attempts have the isolation of the pool, which costs no
	 * round trip, unless a snapshot is in the way: then they are {@code READ COMMITTED},
	 * as far as the server allows that.
	 */
	public <T extends @Nullable Object> T run(String what, ThrowingFunction<StatementSession, T, SQLException> work) {
		return run(what, ATTEMPTS, work);
	}

	/** For a caller that does something else after a {@link Conflict}. */
	public <T extends @Nullable Object> T runOnce(String what,
			ThrowingFunction<StatementSession, T, SQLException> work) {
		return run(what, 1, work);
	}

	private <T extends @Nullable Object> T run(String what, int attempts,
			ThrowingFunction<StatementSession, T, SQLException> work) {
		boolean readCommitted = false;
		for (int attempt = 1;; attempt++) {
			try (Connection connection = connect(what)) {
				return run(connection, readCommitted, work);
			}
			catch (SQLException ex) {
				boolean refused = readCommitted && ex.getErrorCode() == ISOLATION_REFUSED;
				if (attempt == attempts || !(refused || Conflict.isCauseOf(ex))) {
					throw this.failures.unconfirmed(what, ex);
				}
				readCommitted = !refused && (readCommitted || Conflict.isOfSnapshot(ex));
			}
			// Not Spring's RetryTemplate: it gives up on an interrupted thread, and the
			// release of a lock must not.
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(20L * attempt)));
		}
	}

	private Connection connect(String what) {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			throw this.failures.unsent(what, ex);
		}
	}

	private <T extends @Nullable Object> T run(Connection connection, boolean readCommitted,
			ThrowingFunction<StatementSession, T, SQLException> work) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		if (!autoCommit) {
			connection.setAutoCommit(true);
		}
		int networkTimeout = connection.getNetworkTimeout();
		connection.setNetworkTimeout(Runnable::run, Math.toIntExact(this.timeout.plus(NETWORK_MARGIN).toMillis()));
		try {
			StatementSession session = new StatementSession(connection, dialect(connection), timeout());
			return readCommitted ? readCommitted(session, work) : work.apply(session);
		}
		finally {
			if (!connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, networkTimeout);
				if (!autoCommit) {
					connection.setAutoCommit(false);
				}
			}
		}
	}

	private static <T extends @Nullable Object> T readCommitted(StatementSession session,
			ThrowingFunction<StatementSession, T, SQLException> work) throws SQLException {
		Connection connection = session.connection();
		int isolation = connection.getTransactionIsolation();
		connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		try {
			return work.apply(session);
		}
		finally {
			if (!connection.isClosed()) {
				connection.setTransactionIsolation(isolation);
			}
		}
	}

	/** Whether the database could not be reached or did not answer in time. */
	public static boolean isOutage(SQLException failure) {
		String state = failure.getSQLState();
		return state == null || state.startsWith("08") || state.startsWith("57");
	}

	public static boolean isMissingTable(SQLException failure) {
		String state = String.valueOf(failure.getSQLState());
		return state.startsWith("42S") || state.equals("42P01") || MISSING_TABLE_CODES.contains(failure.getErrorCode());
	}

}
