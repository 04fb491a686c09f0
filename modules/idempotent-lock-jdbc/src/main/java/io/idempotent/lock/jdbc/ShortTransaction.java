package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import io.idempotent.jdbc.StatementSession;

/**
 * A few statements that take effect together or not at all.
 */
final class ShortTransaction {

	private ShortTransaction() {
	}

	/**
	 * Runs the statements.
	 * @param session a session whose connection commits each statement
	 * @param work the statements
	 * @return whether they were committed
	 */
	static boolean run(StatementSession session, Work work) throws SQLException {
		Connection connection = session.connection();
		connection.setAutoCommit(false);
		boolean complete = false;
		try {
			complete = work.run(session);
			if (complete) {
				connection.commit();
			}
			return complete;
		}
		finally {
			if (!connection.isClosed()) {
				end(connection, complete);
			}
		}
	}

	private static void end(Connection connection, boolean committed) throws SQLException {
		if (!committed) {
			connection.rollback();
		}
		connection.setAutoCommit(true);
	}

	/**
	 * The statements of a transaction.
	 */
	@FunctionalInterface
	interface Work {

		/**
		 * Runs the statements.
		 * @param session the session
		 * @return whether to commit
		 */
		boolean run(StatementSession session) throws SQLException;

	}

}
