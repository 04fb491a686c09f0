package io.idempotent.jdbc.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.store.IdempotencyStoreContract;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.Unchecked;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every store promises, and what rows promise beyond that.
 */
abstract class JdbcIdempotencyStoreContract extends IdempotencyStoreContract {

	@AutoClose
	private final HikariDataSource pool = database().pool(8);

	private final ObservedDataSource observed = new ObservedDataSource(this.pool);

	private final JdbcIdempotencyStore store = new JdbcIdempotencyStore(this.observed);

	protected abstract TestDatabase database();

	/** How many statements a call takes: PostgreSQL needs fewer. */
	private int statements(int postgresql, int elsewhere) {
		return database().platform().equals("postgresql") ? postgresql : elsewhere;
	}

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void pass(Duration time) {
		sleep(time);
	}

	static void sleep(Duration time) {
		Unchecked.run(() -> Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000));
	}

	private StoreSubmission submission() {
		return StoreSubmission.to(this.store);
	}

	private int executedBy(Runnable call) {
		this.observed.executed().clear();
		call.run();
		return this.observed.executed().size();
	}

	// Statements

	@Test
	void aClaimOfANewKeyIsOneStatement() {
		assertThat(executedBy(() -> submission().granted())).isEqualTo(1);
	}

	@Test
	void aDuplicateIsTwoStatements() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		assertThat(executedBy(() -> first.again().claim())).isEqualTo(2);
		assertThat(executedBy(() -> first.again().ifIssued().claim())).isEqualTo(1);
		first.complete(claim, Outcome.TOMBSTONE);
		assertThat(executedBy(() -> first.again().claim())).isEqualTo(2);
		assertThat(executedBy(() -> submission().ifIssued().claim())).isEqualTo(1);
	}

	@Test
	void aClaimOfAKeyThatHasARecordIsTwoStatementsOrThree() {
		StoreSubmission first = submission();
		first.release(first.granted(), Release.UNKNOWN);
		assertThat(executedBy(() -> first.again().granted())).isEqualTo(statements(2, 3));
		StoreSubmission issued = submission().ifIssued();
		assertThat(executedBy(() -> issued.issued(RETENTION))).isEqualTo(1);
		assertThat(executedBy(() -> issued.issued(RETENTION))).isEqualTo(statements(1, 2));
		assertThat(executedBy(issued::granted)).isEqualTo(statements(1, 2));
	}

	@Test
	void anOwnerNeedsOneStatementAndAStrangerTwo() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		ClaimId stranger = first.again().claimId(1);
		assertThat(executedBy(() -> this.store.renew(claim, LEASE))).isEqualTo(1);
		assertThat(executedBy(() -> this.store.renew(stranger, LEASE))).isEqualTo(2);
		assertThat(executedBy(() -> first.release(stranger, Release.UNKNOWN))).isEqualTo(2);
		assertThat(executedBy(() -> first.release(claim, Release.UNKNOWN))).isEqualTo(1);
		assertThat(executedBy(() -> first.complete(stranger, Outcome.TOMBSTONE))).isEqualTo(2);
		assertThat(executedBy(() -> first.complete(claim, Outcome.TOMBSTONE))).isEqualTo(1);
		StoreSubmission second = submission();
		ClaimId other = second.granted();
		assertThat(executedBy(() -> second.release(other, Release.NO_EFFECT))).isEqualTo(1);
		StoreSubmission forgotten = submission();
		assertThat(executedBy(() -> forgotten.complete(forgotten.claimId(1), Outcome.TOMBSTONE))).isEqualTo(3);
	}

	// Transactions and connections

	@Test
	void theCallersRollbackUndoesNoClaim() {
		DataSourceTransactionManager transactions = new DataSourceTransactionManager(this.pool);
		JdbcIdempotencyStore aware = new JdbcIdempotencyStore(new TransactionAwareDataSourceProxy(this.pool));
		StoreSubmission first = StoreSubmission.to(aware);
		new TransactionTemplate(transactions).executeWithoutResult((status) -> {
			first.granted();
			status.setRollbackOnly();
		});
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

	@Test
	void aPoolThatDoesNotCommitByItselfMakesNoDifference() {
		HikariConfig config = database().config(2);
		config.setAutoCommit(false);
		try (HikariDataSource withoutAutoCommit = new HikariDataSource(config)) {
			StoreSubmission first = StoreSubmission.to(new JdbcIdempotencyStore(withoutAutoCommit));
			ClaimId claim = first.granted();
			assertThat(this.store.claim(first.again().request())).isInstanceOf(ClaimResult.InProgress.class);
			assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE" })
	void aStricterIsolationMakesNoDifference(String isolation) {
		HikariConfig config = database().config(8);
		config.setTransactionIsolation(isolation);
		try (HikariDataSource strict = new HikariDataSource(config)) {
			JdbcIdempotencyStore store = new JdbcIdempotencyStore(strict);
			for (int round = 0; round < 20; round++) {
				StoreSubmission first = StoreSubmission.to(store);
				List<CompletableFuture<Ownership>> claims = Stream
					.generate(() -> CompletableFuture.supplyAsync(() -> claimAndComplete(first.again())))
					.limit(8)
					.toList();
				assertThat(claims).extracting(CompletableFuture::join).containsOnlyOnce(Ownership.HELD);
			}
		}
	}

	private static Ownership claimAndComplete(StoreSubmission submission) {
		if (submission.claim() instanceof ClaimResult.Granted granted) {
			ClaimId claim = submission.claimId(granted.attempt());
			return submission.complete(claim, Outcome.TOMBSTONE);
		}
		return Ownership.LOST;
	}

	@Test
	void aPoolWithoutAFreeConnectionIsUnavailable() throws SQLException {
		HikariConfig config = database().config(1);
		config.setConnectionTimeout(250);
		try (HikariDataSource small = new HikariDataSource(config); var held = small.getConnection()) {
			assertThat(held.isClosed()).isFalse();
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(new JdbcIdempotencyStore(small)).claim())
				.withMessageContaining("gave no connection")
				.withMessageContaining("make it larger");
		}
	}

	@Test
	void aMissingTableIsReportedWithAnAction() {
		JdbcIdempotencyStore lost = new JdbcIdempotencyStore(this.pool, "nowhere", Duration.ofSeconds(5));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> StoreSubmission.to(lost).claim())
			.withMessageContaining("idempotent.initialize-schema");
	}

	// Records

	@Test
	void aRecordThatCannotBeReadIsLeftAsItIs() {
		assertUnreadable("format = 2", "its format is version 2, and this version of the library reads version 1");
		assertUnreadable("state = 9", "its state is 9");
		assertUnreadable("owner = null", "it has no owner or no fingerprint");
		assertUnreadable("state = 3", "it has no answer");
	}

	private void assertUnreadable(String corruption, String said) {
		StoreSubmission submission = submission();
		ClaimId claim = submission.granted();
		assertThat(update("update idempotent_record set " + corruption + " where operation_key = ?", submission))
			.isEqualTo(1);
		Stream
			.<ThrowingCallable>of(submission::claim, () -> submission.again().leavingLapsed().claim(),
					() -> this.store.renew(claim, LEASE), () -> submission.complete(claim, Outcome.TOMBSTONE),
					() -> submission.release(claim, Release.NO_EFFECT))
			.forEach((call) -> assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(call)
				.withMessageContaining("operation " + submission.key())
				.withMessageContaining(said)
				.withMessageMatching("(?s).*until the record expires \\(in [0-9]+m?s\\).*"));
		submission.issued(RETENTION);
		assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(submission::claim);
		expire(submission);
		assertThat(submission.claim()).isEqualTo(new ClaimResult.Granted(1, false));
	}

	private int update(String sql, StoreSubmission submission) {
		return database().sql().update(sql, (Object) submission.key().digest().bytes());
	}

	private void expire(StoreSubmission submission) {
		update("update idempotent_record set expires_at = 1 where operation_key = ?", submission);
	}

	// Purge

	@Test
	void expiredRecordsAreDeletedWhenNewOnesAreWritten() {
		database().sql().update("delete from idempotent_record");
		JdbcIdempotencyStore fresh = new JdbcIdempotencyStore(this.pool);
		List<StoreSubmission> expired = IntStream.range(0, RecordTable.PURGE_INTERVAL - 1)
			.mapToObj((i) -> StoreSubmission.to(fresh))
			.toList();
		expired.forEach(StoreSubmission::granted);
		expired.forEach(this::expire);
		StoreSubmission lasting = StoreSubmission.to(fresh);
		assertThat(rows()).isEqualTo(RecordTable.PURGE_INTERVAL - 1);
		lasting.granted();
		assertThat(rows()).isEqualTo(1);
		assertThat(lasting.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
	}

	@Test
	void aPurgeIsBounded() {
		database().sql().update("delete from idempotent_record");
		database().sql()
			.batchUpdate("insert into idempotent_record values (?, 1, 1, 0, false, null, null, 0, 0, 0, 1, null, null)",
					IntStream.range(0, RecordTable.PURGE_BATCH + 10)
						.mapToObj((i) -> new Object[] { submission().key().digest().bytes() })
						.toList());
		IntStream.range(0, RecordTable.PURGE_INTERVAL).forEach((i) -> submission().granted());
		assertThat(rows()).isEqualTo(RecordTable.PURGE_INTERVAL + 10);
	}

	private int rows() {
		return database().sql().queryForObject("select count(*) from idempotent_record", Integer.class);
	}

}
