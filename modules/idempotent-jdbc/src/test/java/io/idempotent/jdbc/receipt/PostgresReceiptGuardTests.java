package io.idempotent.jdbc.receipt;

import java.util.List;

import io.idempotent.jdbc.Dialect;
import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresReceiptGuardTests extends ReceiptGuardContract {

	private static TestPostgres server;

	private static GuardedDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestPostgres.start();
		database = GuardedDatabase.postgresql(server.url());
	}

	@AfterAll
	static void stopServer() {
		database.close();
		server.close();
	}

	@Test
	void aPurgeReadsTheIndexInATableWithoutStatistics() {
		database.sql()
			.update("insert into idempotent_receipt select sha256(i::text::bytea), '', 1, 'many', "
					+ "9000000000000000 + i, null from generate_series(1, 20000) i");
		List<String> plan = database.sql()
			.queryForList("explain " + ReceiptTable.purge("idempotent_receipt", Dialect.POSTGRESQL), String.class, 1L);
		database.sql().update("delete from idempotent_receipt where operation = 'many'");
		assertThat(plan).anyMatch((line) -> line.contains("idempotent_receipt_age"))
			.noneMatch((line) -> line.contains("Seq Scan"));
	}

	@Override
	protected GuardedDatabase database() {
		return database;
	}

}
