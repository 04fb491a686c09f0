package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.Renewal;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.LockDefaults;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Locks are not kept where only fences are.
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
			JdbcLockEngine leases = new JdbcLockEngine(database);
			assertRefused(product, () -> lock(leases));
			assertRefused(product, () -> leases.epochStore("shop").read());
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
			assertRefused(product,
					() -> transaction.executeWithoutResult((status) -> lock(new TransactionLockEngine(database))));
		}
	}

	private static void assertRefused(String product, Runnable use) {
		assertThatIllegalStateException().isThrownBy(use::run)
			.withMessageContainingAll(product, "receipts and fences", "lock engine, such as those on Redis");
	}

	private static void lock(LockEngine engine) {
		try (EngineDistributedLocks locks = new EngineDistributedLocks(List.of(engine),
				new LockDefaults(Duration.ofSeconds(60), Renewal.WHILE_HELD), List.of())) {
			DistributedLock lock = locks.get("order");
			lock.lock();
		}
	}

}
