package io.idempotent.lock.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.Unchecked;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

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
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcLockEngine(this.dataSource, table, TIMEOUT, ""))
			.withMessageContaining("'" + table + "'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TransactionLockEngine(this.dataSource, table, TIMEOUT))
			.withMessageContaining("'" + table + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent_lock", "Locks2", "shop.idempotent_lock", "_lock" })
	void acceptsATableWithOrWithoutASchema(String table) {
		assertThatNoException().isThrownBy(() -> new JdbcLockEngine(this.dataSource, table, TIMEOUT, ""));
	}

	@Test
	void refusesATimeoutThatDatabasesDoNotSupport() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcLockEngine(this.dataSource, "locks", Duration.ofMillis(999), ""))
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

	@ParameterizedTest
	@CsvSource({ "ORACLE, 'Oracle'", "SQL_SERVER, 'Microsoft SQL Server'" })
	void refusesADatabaseThatKeepsOnlyFences(GuardedDatabase.Mode mode, String product) {
		GuardedDatabase database = GuardedDatabase.shared(mode);
		LockRequest request = new LockRequest("order", TIMEOUT, false);
		JdbcLockEngine leases = new JdbcLockEngine(database);
		TransactionLockEngine rows = new TransactionLockEngine(database);
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
		for (ThrowingCallable use : List.<ThrowingCallable>of(() -> leases.acquire(request, Duration.ZERO),
				() -> leases.sharedEntry("shop").read(),
				() -> transaction.execute((status) -> Unchecked.call(() -> rows.acquire(request, Duration.ZERO))))) {
			assertThatIllegalStateException().isThrownBy(use)
				.withMessageContainingAll("'" + product + "'", "receipts and fences",
						"lock engine, such as those on Redis");
		}
	}

}
