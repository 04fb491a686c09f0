package io.idempotent.jdbc;

import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Inserts the first row of a key, which several nodes may try at once. The missing row is
 * not locked first: two transactions with gap locks of MySQL or MariaDB would deadlock.
 */
public final class FirstRow {

	private static final String CONSTRAINT_VIOLATION = "23";

	private FirstRow() {
	}

	public static boolean insert(StatementSession session, String sql, @Nullable Object... arguments)
			throws SQLException {
		try {
			return session.update(quiet(session, sql), arguments) == 1;
		}
		catch (SQLException ex) {
			if (isConstraintViolation(ex)) {
				return false;
			}
			throw ex;
		}
	}

	/**
	 * Inserts rows of different keys with one batched statement. Returns the numbers of
	 * rows; none if a key exists and fails the statement, in which case any of the others
	 * may have been inserted.
	 */
	public static int[] insertAll(StatementSession session, String sql, List<@Nullable Object[]> arguments)
			throws SQLException {
		try {
			return session.updateAll(quiet(session, sql), arguments);
		}
		catch (SQLException ex) {
			if (isConstraintViolation(ex)) {
				return new int[0];
			}
			throw ex;
		}
	}

	/**
	 * In MySQL and MariaDB, a key that exists is then no error, which the driver of
	 * MariaDB would log. Nothing else is ignored, since all values fit their columns.
	 */
	private static String quiet(StatementSession session, String sql) {
		return (session.dialect() == Dialect.MYSQL) ? sql.replaceFirst("^insert ", "insert ignore ") : sql;
	}

	private static boolean isConstraintViolation(SQLException ex) {
		return String.valueOf(ex.getSQLState()).startsWith(CONSTRAINT_VIOLATION);
	}

}
