package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * With a driver that does not count rows which stay as they are.
 */
@WithMySql
class MySqlAffectedRowsFenceGuardTests extends FenceGuardContract {

	private static TestMySql server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMySql.start();
		database = GuardedDatabase.mySql(server.url() + "&useAffectedRows=true");
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
