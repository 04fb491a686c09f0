package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * With a driver that does not count rows which stay as they are.
 */
@Tag("mariadb")
class MariaDbAffectedRowsFenceGuardTests extends FenceGuardContract {

	private static TestMariaDb server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMariaDb.start();
		database = GuardedDatabase.mariaDb(server.url() + "&useAffectedRows=true");
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
