package io.idempotent.lock.fence;

import java.util.List;
import java.util.concurrent.CountDownLatch;
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
import io.idempotent.support.StartUpException;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Annotated methods and their fences in an application on a real PostgreSQL, and why a
 * fence is raised when a transaction begins.
 */
class FencedTests {

	private static TestPostgres postgres;

	private static DataSource dataSource;

	private static JdbcTemplate jdbc;

	private final ApplicationContextRunner unguarded = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
				GuardAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				TransactionAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class))
		.withPropertyValues("idempotent.lock.engines=local")
		.withBean(DataSource.class, () -> dataSource)
		.withBean(JdbcTemplate.class, () -> jdbc);

	private final ApplicationContextRunner runner = this.unguarded
		.withPropertyValues("idempotent.guard.enabled=true", "idempotent.guard.initialize-schema=always")
		.withBean(Shop.class);

	@BeforeAll
	static void startDatabase() {
		postgres = TestPostgres.start();
		dataSource = postgres.dataSource();
		jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create table sale (token bigint not null)");
	}

	@AfterAll
	static void stopDatabase() {
		postgres.close();
	}

	@BeforeEach
	void reset() {
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
			assertThat(jdbc.queryForObject("select token from idempotent_fence where name = 'application:lock:shop:1'",
					Long.class))
				.isEqualTo(tokens.get(1));
		});
	}

	@Test
	void aTransactionBelowTheMethodRaisesTheFenceOfItsLock() {
		this.runner.run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			context.getBean(Shop.class).inLock(() -> transaction.executeWithoutResult((status) -> sell(1)));
			assertThat(jdbc.queryForList("select name from idempotent_fence", String.class))
				.containsExactly("application:lock:shop");
		});
	}

	@Test
	void aTransactionAroundTheMethodRaisesTheFenceOfItsLock() {
		this.runner.run((context) -> {
			new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> context.getBean(Shop.class).inLock(() -> sell(1)));
			assertThat(jdbc.queryForList("select name from idempotent_fence", String.class))
				.containsExactly("application:lock:shop");
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
	void aMethodWithoutATransactionFails() {
		this.runner.run((context) -> assertThatIllegalStateException()
			.isThrownBy(() -> context.getBean(Shop.class).inLock(() -> sell(1)))
			.withMessageContaining("shop"));
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
	void thereIsNoGuardUnlessItIsAskedFor() {
		this.unguarded.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FenceGuard.class));
		this.unguarded.withPropertyValues("idempotent.guard.enabled=true", "idempotent.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FenceGuard.class));
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
				.withPropertyValues("idempotent.guard.initialize-schema=" + mode)
				.run((context) -> {
					assertThat(context).getFailure().hasMessageContaining("idempotent.guard.fence-table");
					assertThat(fenceTables()).isZero();
				});
		}
	}

	@Test
	void raisedAtTheStartASuccessorSeesEarlierWrites() throws Exception {
		this.runner.run((context) -> {
			FenceGuard guard = context.getBean(FenceGuard.class);
			sellTheLastPieceAsFormerHolderAndAsSuccessor((token) -> guard.raise("shop", token));
			assertThat(sales()).as("sales of the last piece").isOne();
		});
	}

	@Test
	void raisedBeforeTheCommitAFormerHolderMayWriteLate() throws Exception {
		this.runner.run((context) -> {
			FenceGuard guard = context.getBean(FenceGuard.class);
			sellTheLastPieceAsFormerHolderAndAsSuccessor((token) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						guard.raise("shop", token);
					}

				}));
			assertThat(sales()).as("sales of the last piece").isEqualTo(2);
		});
	}

	/**
	 * The former holder looks whether the last piece is there, and is paused before it
	 * writes. Meanwhile its lease ends, and the successor looks.
	 */
	private static void sellTheLastPieceAsFormerHolderAndAsSuccessor(Beginning beginning) throws Exception {
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		CountDownLatch successorHasLooked = new CountDownLatch(1);
		CountDownLatch formerHolderIsDone = new CountDownLatch(1);
		ExecutorService successor = Executors.newSingleThreadExecutor();
		try {
			Future<?>[] sale = new Future<?>[1];
			transaction.executeWithoutResult((status) -> {
				beginning.with(1);
				boolean left = sales() == 0;
				sale[0] = successor.submit(() -> transaction.executeWithoutResult((other) -> {
					beginning.with(2);
					sellIf(isLeftNow(successorHasLooked, formerHolderIsDone), 2);
				}));
				await().atMost(20, TimeUnit.SECONDS)
					.until(() -> successorHasLooked.getCount() == 0 || somebodyWaitsForARow());
				sellIf(left, 1);
			});
			formerHolderIsDone.countDown();
			sale[0].get(20, TimeUnit.SECONDS);
		}
		finally {
			successor.shutdownNow();
		}
	}

	private static boolean isLeftNow(CountDownLatch looked, CountDownLatch goOn) {
		boolean left = sales() == 0;
		looked.countDown();
		try {
			assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return left;
	}

	private static void sellIf(boolean left, long token) {
		if (left) {
			sell(token);
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

	private static boolean somebodyWaitsForARow() {
		return count("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") > 0;
	}

	private static int count(String sql) {
		Integer count = jdbc.queryForObject(sql, Integer.class);
		return (count != null) ? count : -1;
	}

	/**
	 * What a transaction does with its token first of all.
	 */
	private interface Beginning {

		void with(long token);

	}

	static class Shop {

		private final DistributedLocks locks;

		Shop(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked(name = "shop", key = "#piece", fenced = true)
		@Transactional
		void sell(long piece) {
			FencedTests.sell(this.locks.current().map(DistributedLock::fencingToken).orElseThrow());
		}

		@DistributedLocked(name = "shop", fenced = true)
		void inLock(Runnable work) {
			work.run();
		}

		@DistributedLocked(name = "shop")
		@Transactional
		void sellUnfenced() {
			FencedTests.sell(0);
		}

	}

}
