package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PostgresTransactionLockEngineTests extends TransactionLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	@Test
	void refusesANewerGrantUnderRepeatableRead() throws Exception {
		try (HikariDataSource pool = DATABASE.pool(4)) {
			TransactionLockEngine engine = new TransactionLockEngine(pool);
			LockRequest request = new LockRequest("repeatable", Duration.ofSeconds(30), false);
			TransactionTemplate committed = new TransactionTemplate(new DataSourceTransactionManager(pool));
			TransactionTemplate repeatable = new TransactionTemplate(new DataSourceTransactionManager(pool));
			repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
			acquire(engine, request, committed);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> repeatable.executeWithoutResult((status) -> {
					new JdbcTemplate(pool).queryForObject("select 1", Integer.class);
					assertThat(CompletableFuture.runAsync(() -> acquire(engine, request, committed)))
						.succeedsWithin(Duration.ofSeconds(30));
					acquire(engine, request, repeatable);
				}))
				.withMessageContainingAll("repeatable", "SQLState 40001");
		}
	}

	private static void acquire(TransactionLockEngine engine, LockRequest request, TransactionTemplate transactions) {
		transactions.executeWithoutResult((status) -> {
			Unchecked.run(() -> assertThat(engine.acquire(request, Duration.ZERO)).isNotNull());
		});
	}

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
