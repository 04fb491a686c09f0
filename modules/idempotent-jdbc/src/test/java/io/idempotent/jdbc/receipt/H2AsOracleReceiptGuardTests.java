package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The statements for Oracle, on H2 in its mode. That they parse and do what they should
 * is tested; not that a duplicate key leaves the transaction alive, that
 * {@code for update} sees what was committed since, nor any error code.
 */
class H2AsOracleReceiptGuardTests extends ReceiptGuardContract {

	private static GuardedDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = GuardedDatabase.h2AsOracle();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Override
	protected GuardedDatabase database() {
		return database;
	}

}
