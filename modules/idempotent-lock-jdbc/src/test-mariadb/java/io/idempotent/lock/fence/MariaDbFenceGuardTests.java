package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbFenceGuardTests extends FenceGuardContract {

	private static TestMariaDb server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMariaDb.start();
		database = GuardedDatabase.mariaDb(server.url());
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
