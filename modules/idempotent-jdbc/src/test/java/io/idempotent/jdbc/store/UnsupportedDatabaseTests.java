package io.idempotent.jdbc.store;

import java.util.List;

import io.idempotent.store.OperationKey;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Records are not kept where only receipts are.
 */
class UnsupportedDatabaseTests {

	@Test
	void oracleIsRefusedWithAnAction() {
		assertRefused(GuardedDatabase.h2AsOracle(), "'Oracle'");
	}

	@Test
	void sqlServerIsRefusedWithAnAction() {
		assertRefused(GuardedDatabase.h2AsSqlServer(), "'Microsoft SQL Server'");
	}

	private static void assertRefused(GuardedDatabase database, String product) {
		try (database) {
			JdbcIdempotencyStore store = new JdbcIdempotencyStore(database);
			assertThatIllegalStateException()
				.isThrownBy(() -> store.inspect(OperationKey.of("test", "Orders.create", List.of(), "1")))
				.withMessageContainingAll(product, "receipts and fences", "another store");
		}
	}

}
