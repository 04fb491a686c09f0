package io.idempotent.lock.jdbc;

import java.io.Serial;
import java.sql.SQLException;

import io.idempotent.jdbc.FailureTranslator;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.lock.LockUnavailableException;

/** Translates failures of the database for the lock engines. */
final class LockFailures implements FailureTranslator {

	/** A text is longer than its column. */
	private static final String TOO_LONG = "22001";

	@Override
	public RuntimeException noConnection(String what, SQLException cause) {
		return new NoConnectionException(what, cause);
	}

	@Override
	public RuntimeException failed(String what, SQLException cause) {
		return unavailable(what, cause);
	}

	static LockUnavailableException unavailable(String what, SQLException ex) {
		return new LockUnavailableException("The database failed to " + what + ", or did not confirm it (SQLState "
				+ ex.getSQLState() + "): " + ex.getMessage() + hint(ex), ex);
	}

	private static String hint(SQLException ex) {
		String scripts = "the schema-*.sql of " + LockFailures.class.getPackageName();
		if (ShortStatements.isMissingColumn(ex) || TOO_LONG.equals(ex.getSQLState())) {
			return ". The table was created for another version: change it (alter table) after the model of " + scripts;
		}
		return ShortStatements.isMissingTable(ex)
				? ". If the table is missing, create it with " + scripts + ", or let idempotent.initialize-schema do so"
				: "";
	}

	/** There was no connection, so that nothing was asked. */
	static final class NoConnectionException extends LockUnavailableException {

		@Serial
		private static final long serialVersionUID = 1L;

		NoConnectionException(String what, SQLException cause) {
			super("The database could not be asked to " + what + ", since " + FailureTranslator.withoutConnection(cause,
					"Locks take a connection of their own beside that of a transaction: if the threads that wait "
							+ "for locks hold all connections of the pool, make it larger, or give locks a "
							+ "DataSource of their own"),
					cause);
		}

	}

}
