package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresEpochStoreTests extends JdbcEpochStoreContract {

	private static TestPostgres postgres;

	@BeforeAll
	static void startServer() {
		postgres = TestPostgres.start();
	}

	@AfterAll
	static void stopServer() {
		postgres.close();
	}

	@Override
	protected TestDatabase database() {
		return TestDatabase.postgresql(postgres.url());
	}

}
