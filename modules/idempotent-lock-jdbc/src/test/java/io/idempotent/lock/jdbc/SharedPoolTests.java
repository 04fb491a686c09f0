package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two threads in transactions on a pool of two connections, each of which needs a lock.
 */
@Timeout(60)
class SharedPoolTests {

	private final TestDatabase database = TestDatabase.h2();

	private final HikariDataSource shared = new HikariDataSource(impatient());

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CyclicBarrier bothHoldAConnection = new CyclicBarrier(2);

	private final CyclicBarrier bothHaveTheirAnswer = new CyclicBarrier(2);

	private HikariConfig impatient() {
		HikariConfig config = this.database.config(2);
		config.setConnectionTimeout(500);
		return config;
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.shared.close();
	}

	@Test
	void failsWithTheReasonInsteadOfHanging() throws Exception {
		for (Future<LockGrant> answer : askInTransactions(new JdbcLockEngine(this.shared))) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(answer::get)
				.havingCause()
				.isInstanceOf(LockUnavailableException.class)
				.withMessageContaining("a DataSource of their own");
		}
	}

	@Test
	void isExcludedByADataSourceOfItsOwn() throws Exception {
		try (HikariDataSource own = this.database.pool(1)) {
			for (Future<LockGrant> answer : askInTransactions(new JdbcLockEngine(own))) {
				assertThat(answer.get()).isNotNull();
			}
		}
	}

	private List<Future<LockGrant>> askInTransactions(LockEngine engine) throws InterruptedException {
		TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(this.shared));
		return this.threads.invokeAll(List.of(ask(engine, "one", transactions), ask(engine, "two", transactions)));
	}

	private Callable<LockGrant> ask(LockEngine engine, String name, TransactionTemplate transactions) {
		return () -> transactions.execute((status) -> {
			try {
				this.bothHoldAConnection.await();
				try {
					return engine.acquire(new LockRequest(name, Duration.ofSeconds(30), false), Duration.ZERO);
				}
				finally {
					this.bothHaveTheirAnswer.await();
				}
			}
			catch (LockUnavailableException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

}
