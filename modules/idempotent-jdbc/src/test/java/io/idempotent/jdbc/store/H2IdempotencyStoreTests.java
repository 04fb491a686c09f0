package io.idempotent.jdbc.store;

import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2IdempotencyStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.h2();

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
