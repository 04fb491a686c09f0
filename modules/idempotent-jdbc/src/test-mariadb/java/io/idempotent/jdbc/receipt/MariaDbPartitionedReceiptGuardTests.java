package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * With the table of docs/scale.md.
 */
@Tag("mariadb")
class MariaDbPartitionedReceiptGuardTests extends ReceiptGuardContract {

	private static final GuardedDatabase DATABASE = GuardedDatabase.mariaDb(TestMariaDb.newDatabase());

	@BeforeAll
	static void partition() {
		DATABASE.sql().execute("alter table idempotent_receipt partition by key (operation_key) partitions 16");
	}

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
