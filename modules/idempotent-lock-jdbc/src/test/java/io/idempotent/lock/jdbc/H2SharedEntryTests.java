package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;

class H2SharedEntryTests extends JdbcSharedEntryContract {

	private static final TestDatabase DATABASE = TestDatabase.h2();

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
