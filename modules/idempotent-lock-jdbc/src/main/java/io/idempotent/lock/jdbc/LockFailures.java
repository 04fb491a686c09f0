package io.idempotent.lock.jdbc;

import java.sql.SQLException;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.FailureTranslator;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;

/**
 * Translates failures of the database for the lock engines.
 */
final class LockFailures implements FailureTranslator {

	@Override
	public RuntimeException noConnection(String what, SQLException cause) {
		return new NoConnectionException(what, cause);
	}

	@Override
	public RuntimeException failed(String what, SQLException cause) {
		return unavailable(what, cause);
	}

	static LockUnavailableException unavailable(String what, SQLException ex) {
		String hint = ShortStatements.isMissingTable(ex)
				? ". If the table is missing, create it with the schema-*.sql of " + LockFailures.class.getPackageName()
						+ ", or let idempotent.lock.jdbc.initialize-schema do so"
				: "";
		return new LockUnavailableException("The database failed to " + what + ", or did not confirm it (SQLState "
				+ ex.getSQLState() + "): " + ex.getMessage() + hint, ex);
	}

	/**
	 * Distinguishes an interrupt from a failure: a connection pool that is interrupted
	 * reports that it has no connection. Returns if the thread continues to wait.
	 * @param failure the failure
	 * @param waiting handles the interrupt
	 * @throws InterruptedException if the thread was interrupted, and that ends the wait
	 * @throws LockUnavailableException if it is a failure
	 */
	static void throwUnlessInterrupted(LockUnavailableException failure, InterruptibleWait waiting)
			throws InterruptedException {
		if (!Thread.interrupted()) {
			throw failure;
		}
		InterruptedException interrupt = new InterruptedException();
		interrupt.initCause(failure);
		waiting.interrupted(interrupt);
	}

}
