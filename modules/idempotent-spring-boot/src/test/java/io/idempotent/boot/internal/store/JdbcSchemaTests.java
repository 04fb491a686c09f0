package io.idempotent.boot.internal.store;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Which databases get tables, and what happens if other nodes create them too.
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

	/** The database does not show the others' tables before they commit. */
	@Test
	@Timeout(60)
	void tablesThatOtherNodesCreateAtTheSameTimeAreAccepted() throws Exception {
		DataSource database = new DriverManagerDataSource(TestPostgres.newDatabase());
		List<Connection> others = new ArrayList<>();
		try {
			for (String table : List.of("lock", "lock_reader", "transaction_lock", "lock_epoch")) {
				Connection other = database.getConnection();
				others.add(other);
				other.setAutoCommit(false);
				other.createStatement().execute("create table idempotent_" + table + " (name varchar primary key)");
			}
			CompletableFuture<Void> node = CompletableFuture
				.runAsync(() -> JdbcSchema.create(database, JdbcLockEngine.class, ALWAYS));
			JdbcTemplate sql = new JdbcTemplate(database);
			for (Connection other : others) {
				await().until(
						() -> node.isDone() || !sql.queryForList("select 1 from pg_locks where not granted").isEmpty());
				other.commit();
			}
			assertThat(node).succeedsWithin(Duration.ofSeconds(30));
		}
		finally {
			for (Connection other : others) {
				other.close();
			}
		}
	}

	@Test
	void aStatementThatFailsAgainFailsTheStart() {
		DataSource database = new DriverManagerDataSource(
				TestPostgres.newDatabase() + "&options=-c%20default_transaction_read_only=on");
		assertThatExceptionOfType(ScriptException.class)
			.isThrownBy(() -> JdbcSchema.create(database, JdbcLockEngine.class, ALWAYS))
			.havingRootCause()
			.withMessageContaining("read-only");
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
