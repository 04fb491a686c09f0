package io.idempotent.jdbc;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Inserts the first row of a key, which several nodes may try at once. The missing row is
 * not locked first: MySQL and MariaDB would lock the gap, and two transactions with such
 * locks would deadlock.
 */
public final class FirstRow {

	private static final String CONSTRAINT_VIOLATION = "23";

	private FirstRow() {
	}

	/**
	 * Inserts the row, unless there is one.
	 * @param session the session
	 * @param sql the insert statement
	 * @param arguments its parameters
	 * @return whether it was inserted
	 */
	public static boolean insert(StatementSession session, String sql, @Nullable Object... arguments)
			throws SQLException {
		try {
			return session.update(sql, arguments) == 1;
		}
		catch (SQLException ex) {
			if (String.valueOf(ex.getSQLState()).startsWith(CONSTRAINT_VIOLATION)) {
				return false;
			}
			throw ex;
		}
	}

}
