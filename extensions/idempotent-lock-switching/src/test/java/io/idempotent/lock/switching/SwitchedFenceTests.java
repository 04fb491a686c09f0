package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.fence.FenceRaiser;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fences of locks that are switched, and of those that name their engine.
 */
class SwitchedFenceTests {

	private static final SwitchSettings SETTINGS = new SwitchSettings(Duration.ofSeconds(30), Duration.ofMinutes(1),
			Duration.ofMinutes(1), WhenAuthorityAway.STOP_GRANTING);

	static Stream<GuardedDatabase> databases() {
		return Stream.concat(Stream.of(GuardedDatabase.Mode.values()).map(GuardedDatabase::shared),
				Stream.of(GuardedDatabase.postgresql(TestPostgres.newDatabase())));
	}

	@ParameterizedTest
	@MethodSource("databases")
	void aLockThatNamesItsEngineHasAFenceOfItsOwn(GuardedDatabase database) {
		try (TestNode node = new TestNode(new MemorySharedEntry(), SETTINGS, new MemoryEngine("first"),
				new MemoryEngine("second"))) {
			FenceGuard guard = new FenceGuard(database, "idempotent_fence");
			DataSourceTransactionManager transactions = new DataSourceTransactionManager(database);
			transactions.setTransactionExecutionListeners(List.of(new FenceRaiser(guard)));
			TransactionTemplate transaction = new TransactionTemplate(transactions);
			node.switching.switchTo("second");
			DistributedLock usual = node.get("a");
			DistributedLock named = node.get("a", LockOptions.DEFAULTS.withEngine("second"));
			for (DistributedLock lock : List.of(usual, named, usual, named)) {
				lock.lock();
				guard.execute(List.of(lock), () -> {
					transaction.executeWithoutResult((status) -> {
					});
					return null;
				});
				lock.unlock();
			}
			assertThat(
					database.sql().queryForObject("select token from idempotent_fence where name = ?", Long.class, "a"))
				.isGreaterThan(1L << 48);
		}
	}

}
