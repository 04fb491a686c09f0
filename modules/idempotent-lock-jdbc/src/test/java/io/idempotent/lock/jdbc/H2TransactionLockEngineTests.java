package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;

class H2TransactionLockEngineTests extends TransactionLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.h2();

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
