package io.idempotent.jdbc.store;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;

/** The driver counts the rows that change, by default those that match. */
@WithMySql
class MySqlAffectedRowsStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.mySql(TestMySql.newDatabase() + "&useAffectedRows=true");

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
