package io.idempotent.jdbc;

import java.sql.SQLException;

/**
 * Translates failures of a database into the exceptions of the caller.
 */
@FunctionalInterface
public interface FailureTranslator {

	/**
	 * Translates a failure to get a connection: no statement was sent. By default as
	 * {@link #failed}.
	 */
	default RuntimeException noConnection(String what, SQLException cause) {
		return failed(what, cause);
	}

	/** Translates the failure of a statement, which may have taken effect. */
	RuntimeException failed(String what, SQLException cause);

}
