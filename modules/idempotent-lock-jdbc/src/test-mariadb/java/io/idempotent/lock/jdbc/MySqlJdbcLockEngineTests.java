package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("mysql")
@EnabledIf(value = "io.idempotent.testing.TestMySql#isAvailable",
		disabledReason = "MySQL runs on Linux on x86-64 with libaio.so.1 (Debian: libaio1)")
class MySqlJdbcLockEngineTests extends JdbcLockEngineContract {

	private static TestMySql mySql;

	private static TestDatabase database;

	@BeforeAll
	static void startServer() {
		mySql = TestMySql.start();
		database = TestDatabase.mySql(mySql.url());
	}

	@AfterAll
	static void stopServer() {
		mySql.close();
	}

	@Override
	protected TestDatabase database() {
		return database;
	}

}
