package io.idempotent.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

/**
 * The errors that a database reports because of another transaction: what was rolled back
 * may succeed when it is repeated.
 */
public enum Conflict {

	/**
	 * Serialization failure, deadlock, lock timeout.
	 * @see <a href=
	 * "https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL,
	 * appendix A</a>
	 */
	POSTGRESQL(Set.of("40001", "40P01", "55P03"), Set.of()),

	/**
	 * Record changed since the snapshot ({@code innodb_snapshot_isolation}), lock
	 * timeout, deadlock.
	 * @see <a href="https://mariadb.com/kb/en/mariadb-error-code-reference/">MariaDB
	 * error codes</a>
	 */
	MARIADB(Set.of(), Set.of(1020, 1205, 1213)),

	/**
	 * Lock timeout, deadlock, rollback by Group Replication.
	 * @see <a href=
	 * "https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html">MySQL
	 * server errors</a>
	 */
	MYSQL(Set.of(), Set.of(1205, 1213, 3101)),

	/**
	 * Deadlock, lock timeout, concurrent update.
	 * @see <a href=
	 * "https://www.h2database.com/javadoc/org/h2/api/ErrorCode.html">org.h2.api.ErrorCode</a>
	 */
	H2(Set.of(), Set.of(40001, 50200, 90131)),

	/**
	 * Deadlock, serialization failure.
	 * @see <a href="https://docs.oracle.com/en/error-help/db/">ORA-00060, ORA-08177</a>
	 */
	ORACLE(Set.of(), Set.of(60, 8177)),

	/**
	 * Deadlock, lock timeout, conflict of snapshots.
	 * @see <a href=
	 * "https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors">SQL
	 * Server errors</a>
	 */
	SQL_SERVER(Set.of(), Set.of(1205, 1222, 3960));

	// Sets of Set.of are immutable.
	@SuppressWarnings("ImmutableEnumChecker")
	private final Set<String> states;

	@SuppressWarnings("ImmutableEnumChecker")
	private final Set<Integer> codes;

	Conflict(Set<String> states, Set<Integer> codes) {
		this.states = states;
		this.codes = codes;
	}

	/** Of any database: no statement here causes another error of the same number. */
	public static boolean isCauseOf(SQLException failure) {
		return Arrays.stream(values())
			.anyMatch((known) -> known.states.contains(String.valueOf(failure.getSQLState()))
					|| known.codes.contains(failure.getErrorCode()));
	}

	/**
	 * Translates as Spring does by default, and conflicts that Spring does not know to
	 * {@link ConcurrencyFailureException}s too, for statements in transactions of the
	 * application.
	 */
	public static final class Translator extends SQLExceptionSubclassTranslator {

		@Override
		protected @Nullable DataAccessException doTranslate(String task, @Nullable String sql, SQLException ex) {
			DataAccessException known = super.doTranslate(task, sql, ex);
			return (known instanceof ConcurrencyFailureException || !isCauseOf(ex)) ? known
					: new CannotAcquireLockException(buildMessage(task, sql, ex), ex);
		}

	}

}
