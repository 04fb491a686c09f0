package io.idempotent.lock.jdbc;

import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;

/** The driver does not count rows that stay as they are. */
@Tag("mariadb")
class MariaDbJdbcLockEngineTests extends JdbcLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase
		.mariaDb(TestMariaDb.newDatabase() + "&useAffectedRows=true");

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
