package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.Unchecked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;

/**
 * An idempotent call whose lock is not obtained, or is lost while it runs, without
 * receipts and with them.
 */
@ParameterizedClass
@ValueSource(booleans = { false, true })
class LockedCallTests {

	private static final DataSource database = TestDatabase.h2().dataSource();

	private final JdbcTemplate sql = new JdbcTemplate(database);

	private final String key = UUID.randomUUID().toString();

	@Parameter
	boolean receipts;

	@BeforeEach
	void start() {
		this.sql.execute("create table if not exists sale (item varchar(255) not null)");
	}

	@Test
	void aCallThatWasSkippedRunsWhenItIsMadeAgain() {
		run((shop) -> {
			assertThat(shop.<@Nullable String>whileLocked(() -> shop.sell(this.key))).isNull();
			assertThat(shop.sell(this.key)).isEqualTo("sale 1");
			assertThat(shop.sell(this.key)).isEqualTo("sale 1");
			assertThat(sales()).isOne();
		});
	}

	@Test
	void aSkippedCallReleasesItsKeyUnderEveryPolicy() {
		run((shop) -> {
			shop.<@Nullable String>whileLocked(() -> shop.sellStrictly(this.key));
			assertThat(shop.sellStrictly(this.key)).isEqualTo("sale 1");
			shop.<@Nullable String>whileLocked(() -> shop.sellBurnt(this.key));
			assertThat(shop.sellBurnt(this.key)).isEqualTo("sale 2");
		});
	}

	@Test
	void theResultOfASkippedCallIsNotRecorded() {
		run((shop) -> {
			assertThat(shop.whileLocked(() -> shop.sellOrApologize(this.key))).isEqualTo("sorry");
			assertThat(sales()).as("the apology is on file").isOne();
			assertThat(shop.sellOrApologize(this.key)).isEqualTo("sale 1");
			assertThat(shop.sellOrApologize(this.key)).isEqualTo("sale 1");
			assertThat(sales()).isEqualTo(2);
		});
	}

	@Test
	void aSkippedCallInATransactionRunsWhenItIsMadeAgain() {
		run((shop) -> {
			shop.inTransaction(() -> shop.<@Nullable String>whileLocked(() -> shop.sell(this.key)));
			assertThat(shop.sell(this.key)).isEqualTo("sale 1");
		});
	}

	@Test
	void aMethodThatReturnedAndLostItsLockIsDone() {
		run((shop) -> {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> shop.loseAfterSelling(this.key));
			assertThat(shop.loseAfterSelling(this.key)).isEqualTo("sale 1");
			assertThat(sales()).isOne();
		});
	}

	@Test
	void aMethodThatThrewAndLostItsLockHasFailed() {
		run((shop) -> {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> shop.loseAndFail(this.key));
			assertThat(shop.loseAndFail(this.key)).isEqualTo("sale 2");
		});
	}

	@Test
	void aMethodWhoseTransactionWasRolledBackForALostLockHasFailed() {
		run((shop) -> {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> shop.loseInTransaction(this.key))
				.matches(LockLostException::isRolledBack);
			assertThat(sales()).isZero();
			assertThat(shop.loseInTransaction(this.key)).isEqualTo("sale 2");
			assertThat(sales()).isOne();
		});
	}

	@Test
	void aMethodThatReturnedIsDoneAlthoughItsReleaseThrowsAnError() {
		run((shop) -> {
			assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> shop.sellFaulty(this.key));
			assertThat(shop.sellFaulty(this.key)).isEqualTo("sale 1");
		});
	}

	private int sales() {
		return this.sql.queryForObject("select count(*) from sale where item = ?", Integer.class, this.key);
	}

	private void run(Consumer<Shop> test) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TransactionAutoConfiguration.class,
					TransactionManagerCustomizationAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class,
					GuardAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local,faulty",
					"idempotent.guard.enabled=" + this.receipts)
			.withBean(DataSource.class, () -> database)
			.withBean(LockEngine.class, LockedCallTests::faultyEngine)
			.withBean(Apology.class)
			.withBean(Shop.class)
			.run((context) -> test.accept(context.getBean(Shop.class)));
	}

	/** Its first release throws an error. */
	private static LockEngine faultyEngine() {
		LockEngine engine = spy(new LocalLockEngine());
		willReturn("faulty").given(engine).name();
		Unchecked.run(() -> willAnswer((acquire) -> {
			LockGrant grant = spy((LockGrant) acquire.callRealMethod());
			willThrow(StackOverflowError.class).willCallRealMethod().given(grant).release(any());
			return grant;
		}).willCallRealMethod().given(engine).acquire(any(), any()));
		return engine;
	}

	static class Apology implements LockNotObtainedHandler {

		private final TransactionTemplate transactions;

		private final JdbcTemplate sql;

		Apology(PlatformTransactionManager manager, JdbcTemplate sql) {
			this.transactions = new TransactionTemplate(manager);
			this.sql = sql;
		}

		@Override
		public @Nullable Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) {
			this.transactions
				.executeWithoutResult((status) -> this.sql.update("insert into sale (item) values (?)", arguments[0]));
			return "sorry";
		}

	}

	static class Shop {

		private final AtomicInteger runs = new AtomicInteger();

		private final JdbcTemplate sql;

		private final DistributedLocks locks;

		private final TransactionTemplate transactions;

		Shop(JdbcTemplate sql, DistributedLocks locks, PlatformTransactionManager manager) {
			this.sql = sql;
			this.locks = locks;
			this.transactions = new TransactionTemplate(manager);
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "shop", onNotObtained = WhenNotObtained.SKIP)
		@Transactional
		public String sell(String item) {
			return sold(item);
		}

		@Idempotent(key = "#item", whenFailed = WhenFailed.UNKNOWN, whenUnknown = WhenUnknown.REJECT)
		@DistributedLocked(name = "shop", onNotObtained = WhenNotObtained.SKIP)
		@Transactional
		public String sellStrictly(String item) {
			return sold(item);
		}

		@Idempotent(key = "#item", whenCompleted = WhenCompleted.BURN)
		@DistributedLocked(name = "shop", onNotObtained = WhenNotObtained.SKIP)
		public String sellBurnt(String item) {
			return "sale " + this.runs.incrementAndGet();
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "shop", handler = Apology.class, waitTime = "0s")
		@Transactional
		public String sellOrApologize(String item) {
			return sold(item);
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "shop", engine = "faulty")
		public String sellFaulty(String item) {
			return sold(item);
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "lost", leaseTime = "200ms", holdAtMost = "200ms")
		public String loseAfterSelling(String item) {
			String sale = sold(item);
			awaitLoss();
			return sale;
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "lost", leaseTime = "200ms", holdAtMost = "200ms")
		public String loseAndFail(String item) {
			if (this.runs.incrementAndGet() == 1) {
				awaitLoss();
				throw new IllegalStateException("Sold out");
			}
			return "sale " + this.runs;
		}

		@Idempotent(key = "#item")
		@DistributedLocked(name = "lost", leaseTime = "200ms", holdAtMost = "200ms")
		@Transactional
		public String loseInTransaction(String item) {
			String sale = sold(item);
			if (this.runs.get() == 1) {
				awaitLoss();
			}
			return sale;
		}

		private String sold(String item) {
			this.sql.update("insert into sale (item) values (?)", item);
			return "sale " + this.runs.incrementAndGet();
		}

		private void awaitLoss() {
			DistributedLock lock = this.locks.current().orElseThrow();
			while (lock.isValid()) {
				Thread.onSpinWait();
			}
		}

		void inTransaction(Runnable work) {
			this.transactions.executeWithoutResult((status) -> work.run());
		}

		<T extends @Nullable Object> T whileLocked(Callable<T> call) {
			DistributedLock lock = this.locks.get("shop");
			ExecutorService other = Executors.newSingleThreadExecutor();
			try {
				other.submit(lock::lock).get(1, TimeUnit.MINUTES);
				return call.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			finally {
				CompletableFuture.runAsync(lock::unlock, other).join();
				other.shutdownNow();
			}
		}

	}

}
