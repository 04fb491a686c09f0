package io.idempotent.jdbc.store;

import io.idempotent.testing.TestDatabase;

class H2IdempotencyStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.h2();

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

	@Override
	protected int statements(int elsewhere) {
		return elsewhere;
	}

}
