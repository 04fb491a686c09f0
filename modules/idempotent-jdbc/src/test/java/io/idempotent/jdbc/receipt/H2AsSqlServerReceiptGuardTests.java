package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The statements for SQL Server, on H2 in its mode. That they parse and do what they
 * should is tested; not the clock, the table hints, the collation, that a null of bytes
 * has a type, that a duplicate key leaves the transaction alive, nor any error code.
 */
class H2AsSqlServerReceiptGuardTests extends ReceiptGuardContract {

	private static GuardedDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = GuardedDatabase.h2AsSqlServer();
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
