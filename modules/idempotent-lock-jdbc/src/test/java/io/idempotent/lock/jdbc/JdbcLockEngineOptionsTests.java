package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.time.Duration;

import javax.sql.DataSource;

import io.idempotent.lock.engine.LockRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What the engines are given, and refuse.
 */
class JdbcLockEngineOptionsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final DataSource dataSource = mock();

	@ParameterizedTest
	@ValueSource(strings = { "", "1lock", "lock;drop table stock", "lock -- ", "a.b.c", "lock\"", "lock where 1 = 1" })
	void refusesATableNameThatIsNotAnIdentifier(String table) {
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcLockEngine(this.dataSource, table, TIMEOUT))
			.withMessageContaining("'" + table + "'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TransactionLockEngine(this.dataSource, table, TIMEOUT))
			.withMessageContaining("'" + table + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent_lock", "Locks2", "shop.idempotent_lock", "_lock" })
	void acceptsATableWithOrWithoutASchema(String table) {
		assertThatNoException().isThrownBy(() -> new JdbcLockEngine(this.dataSource, table, TIMEOUT));
	}

	@Test
	void refusesATimeoutThatDatabasesDoNotSupport() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcLockEngine(this.dataSource, "locks", Duration.ofMillis(999)))
			.withMessageContainingAll("999ms", "at least 1s");
	}

	@Test
	void refusesAnUnknownDatabase() throws Exception {
		Connection connection = mock(Answers.RETURNS_DEEP_STUBS);
		given(this.dataSource.getConnection()).willReturn(connection);
		given(connection.getMetaData().getDatabaseProductName()).willReturn("Apache Derby");
		JdbcLockEngine engine = new JdbcLockEngine(this.dataSource);
		assertThatIllegalStateException()
			.isThrownBy(() -> engine.acquire(new LockRequest("name", TIMEOUT, false), Duration.ZERO))
			.withMessageContainingAll("'Apache Derby'", "PostgreSQL, MySQL, MariaDB or H2");
	}

}
