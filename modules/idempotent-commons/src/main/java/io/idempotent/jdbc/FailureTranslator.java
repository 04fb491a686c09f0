package io.idempotent.jdbc;

import java.sql.SQLException;

/**
 * How those who ask a database say that it failed them.
 */
public interface FailureTranslator {

	/**
	 * There was no connection, so that nothing was asked.
	 * @param what what was to be done
	 * @param cause what the data source said
	 * @return what to throw
	 */
	RuntimeException noConnection(String what, SQLException cause);

	/**
	 * The statement failed, or it is unknown whether it took effect.
	 * @param what what was to be done
	 * @param cause what the driver said
	 * @return what to throw
	 */
	RuntimeException failed(String what, SQLException cause);

}
