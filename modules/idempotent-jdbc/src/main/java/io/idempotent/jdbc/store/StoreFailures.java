package io.idempotent.jdbc.store;

import java.sql.SQLException;

import io.idempotent.jdbc.FailureTranslator;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.StoreUnavailableException;

/**
 * Translates failures of the database into {@link StoreUnavailableException}s.
 */
final class StoreFailures implements FailureTranslator {

	@Override
	public RuntimeException noConnection(String what, SQLException cause) {
		return StoreUnavailableException.withoutEffect("The database did not " + what
				+ ", because its DataSource gave no connection (" + cause.getMessage()
				+ "). The store takes a connection of its own beside that of a transaction: if the threads that wait for the store hold "
				+ "all connections of the pool, make it larger", cause);
	}

	@Override
	public RuntimeException failed(String what, SQLException cause) {
		return new StoreUnavailableException("The database failed to " + what + ", or did not confirm it (SQLState "
				+ cause.getSQLState() + "): " + cause.getMessage() + hint(cause), cause);
	}

	private static String hint(SQLException cause) {
		return ShortStatements.isMissingTable(cause) ? ". If the table is missing, create it with the schema-*.sql of "
				+ StoreFailures.class.getPackageName() + ", or let idempotent.store.jdbc.initialize-schema do so" : "";
	}

}
