package io.idempotent.jdbc.store;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.idempotent.store.OperationKey;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * What the store is given, and refuses.
 */
class JdbcIdempotencyStoreOptionsTests {

	private final DataSource dataSource = mock();

	@ParameterizedTest
	@ValueSource(strings = { "", "1record", "record;drop table stock", "a.b.c" })
	void refusesATableNameThatIsNotAnIdentifier(String table) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcIdempotencyStore(this.dataSource, table, Duration.ofSeconds(5)))
			.withMessageContaining("'" + table + "'");
	}

	@Test
	void refusesATimeoutThatDatabasesDoNotSupport() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcIdempotencyStore(this.dataSource, "records", Duration.ofMillis(999)))
			.withMessageContainingAll("999ms", "at least 1s");
	}

	@ParameterizedTest
	@CsvSource({ "ORACLE, 'Oracle'", "SQL_SERVER, 'Microsoft SQL Server'" })
	void refusesADatabaseThatKeepsOnlyReceipts(GuardedDatabase.Mode mode, String product) {
		JdbcIdempotencyStore store = new JdbcIdempotencyStore(GuardedDatabase.shared(mode));
		assertThatIllegalStateException()
			.isThrownBy(() -> store.inspect(OperationKey.of("test", "Orders.create", List.of(), "1")))
			.withMessageContainingAll("'" + product + "'", "receipts and fences", "another store");
	}

}
