package io.idempotent.boot.internal.store;

import java.util.List;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A database whose SQL this library does not speak fails the start.
 */
class JdbcSchemaTests {

	private static final Environment ALWAYS = new MockEnvironment().withProperty("idempotent.initialize-schema",
			"always");

	@Test
	void anUnsupportedDatabaseIsReportedWithTheSupportedOnes() {
		EmbeddedDatabase hsql = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.HSQL)
			.generateUniqueName(true)
			.build();
		try {
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> JdbcSchema.create(hsql, JdbcIdempotencyStore.class, ALWAYS))
				.withMessageContaining("The database is 'hsqldb'")
				.withMessageContaining("PostgreSQL, MySQL, MariaDB or H2")
				.withMessageContaining("idempotent.store.type=local");
		}
		finally {
			hsql.shutdown();
		}
	}

	@Test
	void oracleIsForReceiptsAndFencesAlone() throws Exception {
		try (GuardedDatabase oracle = GuardedDatabase.h2AsOracle()) {
			assertRefused(oracle, "oracle");
			oracle.sql().execute("drop table idempotent_fence");
			JdbcSchema.create(oracle, ReceiptGuard.class, ALWAYS);
			JdbcSchema.create(oracle, FenceGuard.class, ALWAYS);
			assertThat(oracle.sql().queryForList("select name from idempotent_fence")).isEmpty();
		}
	}

	@Test
	void sqlServerIsForReceiptsAndFencesAlone() {
		try (GuardedDatabase sqlServer = GuardedDatabase.h2AsSqlServer()) {
			assertRefused(sqlServer, "sqlserver");
			assertThat(JdbcSchema.script(sqlServer, ReceiptGuard.class)).endsWith("-sqlserver.sql");
			assertThat(JdbcSchema.script(sqlServer, FenceGuard.class)).endsWith("-sqlserver.sql");
		}
	}

	private static void assertRefused(GuardedDatabase database, String platform) {
		for (Class<?> owner : List.of(JdbcIdempotencyStore.class, JdbcLockEngine.class)) {
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> JdbcSchema.create(database, owner, ALWAYS))
				.withMessageContainingAll("The database is '" + platform + "'", "receipts and fences",
						"idempotent.store.type=redis");
		}
	}

}
