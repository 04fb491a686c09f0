package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2ReceiptGuardTests extends ReceiptGuardContract {

	private static GuardedDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = GuardedDatabase.h2();
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
