package io.idempotent.jdbc.store;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Outcome;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresIdempotencyStoreTests extends JdbcIdempotencyStoreContract {

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
	void aDuplicateWritesAndLocksNothing() {
		StoreSubmission first = StoreSubmission.to(store());
		first.complete(first.granted(), Outcome.TOMBSTONE);
		String written = writerAndLocker(first);
		assertThat(written).endsWith(" 0");
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		assertThat(writerAndLocker(first)).isEqualTo(written);
	}

	/** The statement of docs/troubleshooting.md. */
	@Test
	void aRecordIsFoundBySqlFromItsShortHash() {
		StoreSubmission submission = StoreSubmission.to(store());
		submission.granted();
		String start = "decode(translate('" + submission.key() + "', '-_', '+/'), 'base64')";
		assertThat(database.sql()
			.queryForList("select translate(encode(operation_key, 'base64'), '+/=', '-_') from idempotent_record "
					+ "where operation_key between " + start + " and " + start + " || decode(repeat('ff', 23), 'hex')",
					String.class))
			.containsExactly(submission.key().encoded());
	}

	private static String writerAndLocker(StoreSubmission submission) {
		return database.sql()
			.queryForObject("select xmin::text || ' ' || xmax::text from idempotent_record where operation_key = ?",
					String.class, (Object) submission.key().digest().bytes());
	}

	@Override
	protected TestDatabase database() {
		return database;
	}

	@Override
	protected int statements(int elsewhere) {
		return 1;
	}

}
