package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbReceiptGuardTests extends ReceiptGuardContract {

	private static final GuardedDatabase DATABASE = GuardedDatabase.mariaDb(TestMariaDb.newDatabase());

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
