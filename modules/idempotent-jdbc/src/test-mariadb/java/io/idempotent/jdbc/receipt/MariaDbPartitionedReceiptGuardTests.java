package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * With the table of docs/scale.md.
 */
@Tag("mariadb")
class MariaDbPartitionedReceiptGuardTests extends ReceiptGuardContract {

	private static TestMariaDb server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMariaDb.start();
		database = GuardedDatabase.mariaDb(server.url());
		database.sql().execute("alter table idempotent_receipt partition by key (operation_key) partitions 16");
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
