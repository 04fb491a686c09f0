package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbTransactionLockEngineTests extends TransactionLockEngineContract {

	private static TestMariaDb mariaDb;

	private static TestDatabase database;

	@BeforeAll
	static void startServer() {
		mariaDb = TestMariaDb.start();
		database = TestDatabase.mariaDb(mariaDb.url());
	}

	@AfterAll
	static void stopServer() {
		mariaDb.close();
	}

	@Override
	protected TestDatabase database() {
		return database;
	}

}
