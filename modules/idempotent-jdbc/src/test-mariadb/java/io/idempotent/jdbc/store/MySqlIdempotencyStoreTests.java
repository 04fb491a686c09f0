package io.idempotent.jdbc.store;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@WithMySql
class MySqlIdempotencyStoreTests extends JdbcIdempotencyStoreContract {

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

	@Override
	protected int statements(int postgresql, int elsewhere) {
		return elsewhere;
	}

}
