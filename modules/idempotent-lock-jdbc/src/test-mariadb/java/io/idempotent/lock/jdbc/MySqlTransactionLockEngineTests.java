package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;

@WithMySql
class MySqlTransactionLockEngineTests extends TransactionLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.mySql(TestMySql.newDatabase());

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
