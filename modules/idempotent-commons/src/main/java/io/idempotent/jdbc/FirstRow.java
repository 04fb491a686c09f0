package io.idempotent.jdbc;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * The first row of a key, which many nodes may want to insert at once. Never inserted
 * under a lock on what is missing: in MySQL and MariaDB those are locks on gaps, and two
 * who hold one wait for each other.
 */
public final class FirstRow {

	private static final String CONSTRAINT_VIOLATION = "23";

	private FirstRow() {
	}

	/**
	 * Inserts it.
	 * @param session where
	 * @param sql the statement
	 * @param arguments its parameters
	 * @return whether it was missing until now
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
