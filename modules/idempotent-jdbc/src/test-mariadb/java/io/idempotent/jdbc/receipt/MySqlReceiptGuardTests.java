package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;

@WithMySql
class MySqlReceiptGuardTests extends ReceiptGuardContract {

	private static final GuardedDatabase DATABASE = GuardedDatabase.mySql(TestMySql.newDatabase());

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
