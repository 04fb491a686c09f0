package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2JdbcLockEngineTests extends JdbcLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.h2();

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
