package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class PostgresJdbcLockEngineTests extends JdbcLockEngineContract {

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	@Test
	void repeatsAfterASerializationFailure() throws Exception {
		take(this.engine).release(Duration.ZERO);
		HikariConfig config = DATABASE.config(2);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		config.addDataSourceProperty("ApplicationName", lockName());
		try (HikariDataSource pool = new HikariDataSource(config); Connection rival = lockRow()) {
			ObservedDataSource observed = new ObservedDataSource(pool);
			Future<LockGrant> answer = inBackground(() -> take(new JdbcLockEngine(observed)));
			await().until(this::isWaitingForARow);
			rival.commit();
			assertThat(answer.get()).isNotNull();
			assertThat(observed.executed()).hasSize(2);
		}
	}

	@Test
	void namesADatabaseThatIsAwayAndNotThePool() {
		HikariConfig config = DATABASE.at("jdbc:postgresql://127.0.0.1:1/shop").config(2);
		config.setInitializationFailTimeout(-1);
		try (HikariDataSource away = new HikariDataSource(config)) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take(new JdbcLockEngine(away)))
				.withMessageContainingAll("gave no connection", "Connection to 127.0.0.1:1 refused",
						"Check whether the database runs")
				.withMessageNotContaining("a DataSource of their own");
		}
	}

	private boolean isWaitingForARow() {
		return !DATABASE.sql()
			.queryForList("select 1 from pg_stat_activity where application_name = ? and wait_event_type = 'Lock'",
					lockName())
			.isEmpty();
	}

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
