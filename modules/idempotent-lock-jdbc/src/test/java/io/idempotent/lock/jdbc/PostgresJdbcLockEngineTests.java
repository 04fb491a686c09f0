package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PostgresJdbcLockEngineTests extends JdbcLockEngineContract {

	private static TestPostgres postgres;

	private static TestDatabase database;

	@BeforeAll
	static void startServer() {
		postgres = TestPostgres.start();
		database = TestDatabase.postgresql(postgres.url());
	}

	@AfterAll
	static void stopServer() {
		postgres.close();
	}

	@Test
	void repeatsAfterASerializationFailure() throws Exception {
		take(this.engine).release(Duration.ZERO);
		HikariConfig config = database.config(2);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		try (HikariDataSource pool = new HikariDataSource(config); Connection rival = lockRow()) {
			ObservedDataSource observed = new ObservedDataSource(pool);
			Future<LockGrant> answer = inBackground(() -> take(new JdbcLockEngine(observed)));
			await().until(PostgresJdbcLockEngineTests::isWaitingForARow);
			rival.commit();
			assertThat(answer.get()).isNotNull();
			assertThat(observed.executed()).hasSize(2);
		}
	}

	private static boolean isWaitingForARow() {
		return Boolean.TRUE.equals(database.sql()
			.queryForObject("select exists (select 1 from pg_stat_activity where wait_event_type = 'Lock')",
					Boolean.class));
	}

	@Override
	protected TestDatabase database() {
		return database;
	}

}
