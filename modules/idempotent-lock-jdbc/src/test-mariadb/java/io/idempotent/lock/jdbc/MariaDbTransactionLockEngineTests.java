package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbTransactionLockEngineTests extends TransactionLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.mariaDb(TestMariaDb.newDatabase());

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
