package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@WithMySql
class MySqlReceiptGuardTests extends ReceiptGuardContract {

	private static TestMySql server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMySql.start();
		database = GuardedDatabase.mySql(server.url());
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
