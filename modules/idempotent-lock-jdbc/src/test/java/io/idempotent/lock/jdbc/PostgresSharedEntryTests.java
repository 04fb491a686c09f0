package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;

class PostgresSharedEntryTests extends JdbcSharedEntryContract {

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
