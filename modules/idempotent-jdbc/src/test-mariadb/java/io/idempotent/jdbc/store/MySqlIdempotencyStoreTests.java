package io.idempotent.jdbc.store;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;

@WithMySql
class MySqlIdempotencyStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.mySql(TestMySql.newDatabase());

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
