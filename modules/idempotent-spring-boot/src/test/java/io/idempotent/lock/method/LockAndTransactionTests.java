package io.idempotent.lock.method;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.StartUpAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.LockTemplate.UnlockTiming;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks and transactions on a real PostgreSQL: whoever gets a lock sees what the last
 * holder has committed.
 */
class LockAndTransactionTests {

	private static final int THREADS = 6;

	private static final int ROUNDS = 15;

	private static TestPostgres postgres;

	private static DataSource dataSource;

	private static JdbcTemplate jdbc;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				TransactionManagerCustomizationAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local", "idempotent.lock.wait-time=60s")
		.withBean(DataSource.class, () -> dataSource)
		.withBean(JdbcTemplate.class, () -> jdbc)
		.withBean(Counter.class);

	@BeforeAll
	static void startDatabase() {
		postgres = TestPostgres.start();
		dataSource = postgres.dataSource();
		jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table counter (amount int not null)");
		jdbc.execute("create table sale (token bigint not null)");
	}

	@AfterAll
	static void stopDatabase() {
		postgres.close();
	}

	@BeforeEach
	void reset() {
		jdbc.update("delete from counter");
		jdbc.update("insert into counter values (0)");
	}

	@Test
	void theNextHolderSeesTheCommitOfATransactionInsideTheLock() {
		this.runner.run((context) -> {
			Counter counter = context.getBean(Counter.class);
			rush(counter::incrementInTransaction);
			assertThat(amount()).isEqualTo(THREADS * ROUNDS);
		});
	}

	@Test
	void theNextHolderSeesTheCommitOfATransactionAroundATemplate() {
		this.runner.run((context) -> {
			Counter counter = context.getBean(Counter.class);
			LockTemplate template = context.getBean(LockTemplate.class);
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			rush(() -> transaction
				.executeWithoutResult((status) -> template.executeWithoutResult("counter", counter::readAndWrite)));
			assertThat(amount()).isEqualTo(THREADS * ROUNDS);
		});
	}

	@Test
	void anUnlockBeforeTheCommitLosesUpdates() {
		this.runner.withBean(UnlockTiming.class, () -> UnlockTiming.IMMEDIATE).run((context) -> {
			Counter counter = context.getBean(Counter.class);
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			rush(() -> transaction.executeWithoutResult((status) -> {
				counter.increment();
				pause();
			}));
			assertThat(amount()).isLessThan(THREADS * ROUNDS);
		});
	}

	@Test
	void aRollbackFreesTheLock() {
		this.runner.run((context) -> {
			Counter counter = context.getBean(Counter.class);
			DistributedLocks locks = context.getBean(DistributedLocks.class);
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					counter.increment();
					assertThat(locks.get("counter").isHeldByCurrentThread()).isTrue();
					status.setRollbackOnly();
				});
			assertThat(locks.get("counter").isHeldByCurrentThread()).isFalse();
			assertThat(amount()).isZero();
		});
	}

	@Test
	void aSectionRolledBackToASavepointMayBeEnteredAgain() {
		for (String engine : List.of("jdbc-transaction", "local")) {
			this.runner
				.withPropertyValues("idempotent.lock.engines=local,jdbc-transaction",
						"idempotent.initialize-schema=always")
				.run((context) -> {
					reset();
					Counter counter = context.getBean(Counter.class);
					DistributedLock lock = context.getBean(DistributedLocks.class).get("counter");
					LockTemplate template = context.getBean(LockTemplate.class)
						.withOptions(LockOptions.DEFAULTS.withEngine(engine));
					PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
					TransactionTemplate nested = new TransactionTemplate(manager);
					nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
					new TransactionTemplate(manager).executeWithoutResult((outer) -> {
						for (boolean fails : new boolean[] { true, true, false }) {
							nested.executeWithoutResult((inner) -> {
								template.executeWithoutResult("counter", counter::readAndWrite);
								assertThat(lock.isValid()).as(engine).isTrue();
								if (fails) {
									inner.setRollbackOnly();
								}
							});
							assertThat(lock.isValid()).as(engine).isEqualTo(!fails);
						}
					});
					assertThat(amount()).as(engine).isOne();
					assertThat(lock.isHeldByCurrentThread()).as(engine).isFalse();
				});
		}
	}

	@Test
	void aTransactionWhoseLockIsLostIsRolledBack() {
		this.runner.run((context) -> {
			Counter counter = context.getBean(Counter.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(counter::incrementTooSlowly);
			assertThat(amount()).isZero();
		});
	}

	@Test
	void aTransactionWhoseLockIsLostIsCommittedOnRequest() {
		this.runner.withPropertyValues("idempotent.lock.rollback-on-loss=false").run((context) -> {
			Counter counter = context.getBean(Counter.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(counter::incrementTooSlowly);
			assertThat(amount()).isOne();
		});
	}

	/** A transaction of a fenced method raises the fence of its lock. */
	@Nested
	class Fences {

		private final ApplicationContextRunner unguarded = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
					GuardAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
					TransactionAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class))
			.withPropertyValues("idempotent.lock.engines=local")
			.withBean(DataSource.class, () -> dataSource)
			.withBean(JdbcTemplate.class, () -> jdbc);

		private final ApplicationContextRunner runner = this.unguarded
			.withPropertyValues("idempotent.guard.enabled=true", "idempotent.initialize-schema=always")
			.withBean(Shop.class);

		@BeforeEach
		void resetFences() {
			jdbc.execute("drop table if exists idempotent_fence");
			jdbc.update("delete from sale");
		}

		@Test
		void aTransactionalMethodRaisesTheFenceOfItsLock() {
			this.runner.run((context) -> {
				Shop shop = context.getBean(Shop.class);
				shop.sell(1);
				shop.sell(1);
				List<Long> tokens = jdbc.queryForList("select token from sale order by token", Long.class);
				assertThat(tokens).hasSize(2).doesNotHaveDuplicates();
				assertThat(jdbc.queryForObject(
						"select token from idempotent_fence where name = 'application:lock:shop:1'", Long.class))
					.isEqualTo(tokens.get(1));
			});
		}

		@Test
		void aStaleHolderIsRolledBack() {
			this.runner.run((context) -> {
				jdbc.update("insert into idempotent_fence values ('application:lock:shop:1', ?)", Long.MAX_VALUE);
				Shop shop = context.getBean(Shop.class);
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> shop.sell(1))
					.satisfies((ex) -> assertThat(ex.name()).isEqualTo("application:lock:shop:1"));
				assertThat(sales()).isZero();
			});
		}

		@Test
		void aMethodThatIsNotFencedRaisesNothing() {
			this.runner.run((context) -> {
				context.getBean(Shop.class).sellUnfenced();
				assertThat(sales()).isOne();
				assertThat(jdbc.queryForList("select name from idempotent_fence", String.class)).isEmpty();
			});
		}

		@Test
		void aFencedMethodNeedsAGuard() {
			this.unguarded.withBean(Shop.class)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(StartUpException.class)
					.hasMessageContaining("idempotent.guard.enabled=true"));
		}

		@Test
		void theApplicationMayProvideItsOwnGuard() {
			FenceGuard own = new FenceGuard(dataSource, "own_fence");
			this.runner.withBean(FenceGuard.class, () -> own)
				.run((context) -> assertThat(context).getBean(FenceGuard.class).isSameAs(own));
		}

		@Test
		void theTableIsNotCreatedInADatabaseThatIsNotEmbedded() {
			for (String mode : List.of("embedded", "never")) {
				this.runner.withConfiguration(AutoConfigurations.of(StartUpAutoConfiguration.class))
					.withPropertyValues("idempotent.initialize-schema=" + mode)
					.run((context) -> {
						assertThat(context).getFailure().hasMessageContaining("idempotent.guard.fence-table");
						assertThat(fenceTables()).isZero();
					});
			}
		}

		private static void sell(long token) {
			jdbc.update("insert into sale values (?)", token);
		}

		private static int sales() {
			return count("select count(*) from sale");
		}

		private static int fenceTables() {
			return count("select count(*) from information_schema.tables where table_name = 'idempotent_fence'");
		}

		static class Shop {

			private final DistributedLocks locks;

			Shop(DistributedLocks locks) {
				this.locks = locks;
			}

			@DistributedLocked(name = "shop", key = "#piece", fenced = true)
			@Transactional
			void sell(long piece) {
				Fences.sell(this.locks.current().map(DistributedLock::fencingToken).orElseThrow());
			}

			@DistributedLocked(name = "shop")
			@Transactional
			void sellUnfenced() {
				Fences.sell(0);
			}

		}

	}

	private static int amount() {
		return count("select amount from counter");
	}

	private static int count(String sql) {
		Integer count = jdbc.queryForObject(sql, Integer.class);
		return (count != null) ? count : -1;
	}

	private static void rush(Runnable task) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Void>> work = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				work.add(() -> {
					for (int round = 0; round < ROUNDS; round++) {
						task.run();
					}
					return null;
				});
			}
			for (Future<Void> done : threads.invokeAll(work)) {
				done.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void pause() {
		Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(2));
	}

	static class Counter {

		private final JdbcTemplate jdbc;

		private final DistributedLocks locks;

		Counter(JdbcTemplate jdbc, DistributedLocks locks) {
			this.jdbc = jdbc;
			this.locks = locks;
		}

		@DistributedLocked(name = "counter")
		@Transactional
		void incrementInTransaction() {
			readAndWrite();
		}

		@DistributedLocked(name = "counter")
		void increment() {
			readAndWrite();
		}

		@DistributedLocked(name = "counter", leaseTime = "50ms", holdAtMost = "50ms")
		@Transactional
		void incrementTooSlowly() {
			DistributedLock lock = this.locks.current().orElseThrow();
			readAndWrite();
			while (lock.isValid()) {
				pause();
			}
		}

		void readAndWrite() {
			Integer amount = this.jdbc.queryForObject("select amount from counter", Integer.class);
			this.jdbc.update("update counter set amount = ?", amount + 1);
		}

	}

}
