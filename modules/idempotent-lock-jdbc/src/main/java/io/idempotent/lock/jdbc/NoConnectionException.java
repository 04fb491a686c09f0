package io.idempotent.lock.jdbc;

import java.io.Serial;
import java.sql.SQLException;

import io.idempotent.lock.LockUnavailableException;

/**
 * There was no connection, so that nothing was asked.
 */
final class NoConnectionException extends LockUnavailableException {

	@Serial
	private static final long serialVersionUID = 1L;

	NoConnectionException(String what, SQLException cause) {
		super("The database could not be asked to " + what + ", since its DataSource gave no connection ("
				+ cause.getMessage() + "). Locks take a connection of their own beside that of a transaction: if the "
				+ "threads that wait for locks hold all connections of the pool, make it larger, or give locks a DataSource of "
				+ "their own", cause);
	}

}
