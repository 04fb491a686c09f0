package io.idempotent.lock.jdbc;

import java.io.Serial;
import java.sql.SQLException;

import io.idempotent.jdbc.StatementFailures;
import io.idempotent.lock.LockUnavailableException;

/** The exceptions of the lock engines for failures of their database. */
final class LockFailures {

	static final StatementFailures ALL = new StatementFailures(LockFailures.class, NoConnectionException::new,
			LockUnavailableException::new);

	private LockFailures() {
	}

	/** There was no connection, so that nothing was asked. */
	static final class NoConnectionException extends LockUnavailableException {

		@Serial
		private static final long serialVersionUID = 1L;

		NoConnectionException(String message, SQLException cause) {
			super(message, cause);
		}

	}

}
