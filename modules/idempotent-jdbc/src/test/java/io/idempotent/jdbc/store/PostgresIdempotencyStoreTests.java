package io.idempotent.jdbc.store;

import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.jdbc.Dialect;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PostgresIdempotencyStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	@Test
	void aDuplicateWritesAndLocksNothing() {
		StoreSubmission first = StoreSubmission.to(store());
		first.complete(first.granted(), Outcome.TOMBSTONE);
		String written = writerAndLocker(first);
		assertThat(written).endsWith(" 0");
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		assertThat(writerAndLocker(first)).isEqualTo(written);
	}

	@Test
	void aPurgeReadsTheIndexInATableWithoutStatistics() {
		DATABASE.sql()
			.update("insert into idempotent_record select sha256(i::text::bytea), 1, 1, 0, false, null, null, "
					+ "0, 0, 0, 9000000000000000 + i, null, null from generate_series(1, 20000) i");
		NamedParameterSql purge = RecordStatements.of("idempotent_record", Dialect.POSTGRESQL).purge();
		List<String> plan = DATABASE.sql()
			.queryForList("explain " + purge.text(), String.class,
					purge.arguments(new MapSqlParameterSource("limit", 1000)));
		DATABASE.sql().update("delete from idempotent_record where expires_at >= 9000000000000000");
		assertThat(plan).anyMatch((line) -> line.contains("idempotent_record_expiry"))
			.noneMatch((line) -> line.contains("Seq Scan"));
	}

	@Test
	void aDatabaseThatIsAwayIsNamedAndNotThePool() {
		HikariConfig config = DATABASE.at("jdbc:postgresql://127.0.0.1:1/shop").config(2);
		config.setInitializationFailTimeout(-1);
		try (HikariDataSource away = new HikariDataSource(config)) {
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(new JdbcIdempotencyStore(away)).claim())
				.withMessageContainingAll("gave no connection", "total=0", "Connection to 127.0.0.1:1 refused",
						"Check whether the database runs")
				.withMessageNotContaining("make it larger");
		}
	}

	/** The statement of docs/troubleshooting.md. */
	@Test
	void aRecordIsFoundBySqlFromItsShortHash() {
		StoreSubmission submission = StoreSubmission.to(store());
		submission.granted();
		String start = "decode(translate('" + submission.key() + "', '-_', '+/'), 'base64')";
		assertThat(DATABASE.sql()
			.queryForList("select translate(encode(operation_key, 'base64'), '+/=', '-_') from idempotent_record "
					+ "where operation_key between " + start + " and " + start + " || decode(repeat('ff', 23), 'hex')",
					String.class))
			.containsExactly(submission.key().encoded());
	}

	private static String writerAndLocker(StoreSubmission submission) {
		return DATABASE.sql()
			.queryForObject("select xmin::text || ' ' || xmax::text from idempotent_record where operation_key = ?",
					String.class, (Object) submission.key().digest().bytes());
	}

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
