package io.idempotent.jdbc;

import java.sql.SQLException;

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
