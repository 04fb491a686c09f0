package io.idempotent.jdbc.receipt;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class PostgresReceiptGuardTests extends ReceiptGuardContract {

	private static final String URL = TestPostgres.newDatabase();

	private static final GuardedDatabase DATABASE = GuardedDatabase.postgresql(URL);

	@Test
	void aPurgeReadsTheIndexInATableWithoutStatistics() {
		DATABASE.sql()
			.update("insert into idempotent_receipt select sha256(i::text::bytea), '', 1, 'many', "
					+ "9000000000000000 + i, null from generate_series(1, 20000) i");
		List<String> plan = DATABASE.sql()
			.queryForList("explain " + ReceiptStatements.of("idempotent_receipt", Dialect.POSTGRESQL).purge(),
					String.class, 1L);
		DATABASE.sql().update("delete from idempotent_receipt where operation = 'many'");
		assertThat(plan).anyMatch((line) -> line.contains("idempotent_receipt_age"))
			.noneMatch((line) -> line.contains("Seq Scan"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "grant select on %1$s to %2$s",
			"grant all on %1$s to %2$s; alter role %2$s set default_transaction_read_only = on" })
	void aTableThatCanOnlyBeReadFailsTheCheck(String rights) {
		String role = "role_" + UUID.randomUUID().toString().replace("-", "");
		DATABASE.sql().execute("create role " + role + " login");
		DATABASE.sql().execute(rights.formatted("idempotent_receipt", role));
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> new ReceiptGuard(as(role), "idempotent_receipt", Duration.ofDays(1),
					Duration.ofSeconds(5), RecordEncryption.NONE)
				.check(OperationKey.of("", "health", List.of(), "")));
		DATABASE.sql()
			.execute("alter role " + role + " reset all; grant insert, update on idempotent_receipt to " + role);
		assertThatNoException().isThrownBy(() -> new ReceiptGuard(as(role), "idempotent_receipt", Duration.ofDays(1),
				Duration.ofSeconds(5), RecordEncryption.NONE)
			.check(OperationKey.of("", "health", List.of(), "")));
	}

	private static DataSource as(String role) {
		return new DriverManagerDataSource(URL.replace("user=postgres", "user=" + role));
	}

	@Override
	protected GuardedDatabase database() {
		return DATABASE;
	}

}
