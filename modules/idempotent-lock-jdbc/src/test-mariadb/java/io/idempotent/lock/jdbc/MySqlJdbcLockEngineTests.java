package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@WithMySql
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
