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

/**
 * Short statements on connections of their own, outside every transaction of the caller:
 * each is committed when it returns.
 */
public final class ShortStatements {

	private static final int ATTEMPTS = 3;

	/** Serialization failure, deadlock, and locks that could not be had in time. */
	private static final Set<String> LOST_RACES = Set.of("40001", "40P01", "55P03", "HYT00");

	/** MySQL: lock wait timeout, deadlock. H2: concurrent update. */
	private static final Set<Integer> LOST_RACE_CODES = Set.of(1205, 1213, 90131);

	/** The word of the server comes first, if it can speak. */
	private static final Duration SILENCE = Duration.ofSeconds(1);

	private final DataSource dataSource;

	private final Duration timeout;

	private final FailureTranslator failures;

	private volatile @Nullable Dialect dialect;

	/**
	 * Creates it; connects to nothing yet.
	 * @param dataSource where connections come from
	 * @param timeout how long a statement may take, in whole seconds
	 * @param failures what to throw
	 * @throws IllegalArgumentException if the timeout is shorter than a second
	 */
	public ShortStatements(DataSource dataSource, Duration timeout, FailureTranslator failures) {
		if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("The timeout of statements is " + DurationText.of(timeout)
					+ ", but JDBC counts timeouts in whole seconds: give at least 1s");
		}
		this.dataSource = unwrap(dataSource);
		this.timeout = timeout;
		this.failures = failures;
	}

	/**
	 * The data source whose connections belong to nobody yet.
	 * @param dataSource maybe one that hands out the connection of the transaction
	 * @return the one behind it
	 */
	public static DataSource unwrap(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	/**
	 * How long a statement may take.
	 * @return whole seconds
	 */
	public int timeout() {
		return Math.toIntExact(this.timeout.toSeconds());
	}

	/**
	 * What the database speaks.
	 * @param connection a connection to it
	 * @return the dialect
	 */
	public Dialect dialect(Connection connection) throws SQLException {
		Dialect known = this.dialect;
		if (known == null) {
			known = Dialect.of(connection);
			this.dialect = known;
		}
		return known;
	}

	/**
	 * Runs one statement, again if it was rolled back for the sake of another.
	 * @param <T> what it returns
	 * @param what what it is to do, for messages
	 * @param work the statement
	 * @return what it returned
	 * @throws RuntimeException what {@link FailureTranslator} say, if it failed
	 */
	public <T extends @Nullable Object> T run(String what, ThrowingFunction<StatementSession, T, SQLException> work) {
		for (int attempt = 1;; attempt++) {
			try (Connection connection = connect(what)) {
				return run(connection, work);
			}
			catch (SQLException ex) {
				if (attempt == ATTEMPTS || !isLostRace(ex)) {
					throw this.failures.failed(what, ex);
				}
			}
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(20L * attempt)));
		}
	}

	private Connection connect(String what) {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			throw this.failures.noConnection(what, ex);
		}
	}

	private <T extends @Nullable Object> T run(Connection connection,
			ThrowingFunction<StatementSession, T, SQLException> work) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		if (!autoCommit) {
			connection.setAutoCommit(true);
		}
		int networkTimeout = connection.getNetworkTimeout();
		connection.setNetworkTimeout(Runnable::run, Math.toIntExact(this.timeout.plus(SILENCE).toMillis()));
		try {
			return work.apply(new StatementSession(connection, dialect(connection), timeout()));
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

	private static boolean isLostRace(SQLException ex) {
		return LOST_RACES.contains(String.valueOf(ex.getSQLState())) || LOST_RACE_CODES.contains(ex.getErrorCode());
	}

	/**
	 * Whether a failure says that a table is missing.
	 * @param failure the failure
	 * @return whether it does
	 */
	public static boolean isMissingTable(SQLException failure) {
		String state = String.valueOf(failure.getSQLState());
		return state.startsWith("42S") || state.equals("42P01");
	}

}
