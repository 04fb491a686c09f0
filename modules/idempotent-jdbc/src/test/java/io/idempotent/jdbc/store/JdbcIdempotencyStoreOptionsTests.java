package io.idempotent.jdbc.store;

import java.time.Duration;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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

}
