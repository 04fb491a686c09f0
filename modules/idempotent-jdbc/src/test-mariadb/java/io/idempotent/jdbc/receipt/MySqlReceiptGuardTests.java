package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("mysql")
@EnabledIf(value = "io.idempotent.testing.TestMySql#isAvailable",
		disabledReason = "MySQL runs on Linux on x86-64 with libaio.so.1 (Debian: libaio1)")
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
