package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresFenceGuardTests extends FenceGuardContract {

	private static TestPostgres server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestPostgres.start();
		database = GuardedDatabase.postgresql(server.url());
	}

	@AfterAll
	static void stopServer() {
		database.close();
		server.close();
	}

	@Override
	protected GuardedDatabase database() {
		return database;
	}

}
