package io.idempotent.jdbc.store;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import io.idempotent.jdbc.Dialect;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.Settlement.Kind;
import io.idempotent.store.SettlementResult;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.test.contract.StoreSubmission;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Nodes of this version and of the one before origins on one table, which the former one
 * has created.
 */
@Tag("slow")
class JdbcRollingUpgradeTests {

	private static final Outcome.Stored ANSWER = (Outcome.Stored) Outcome.stored(new byte[] { 7, 8, 9 });

	private static final Origin ORIGIN = new Origin(Origin.application("shop"), "Orders.place", "shop@a:1", null,
			Instant.ofEpochMilli(1));

	@Nested
	class OnH2 extends Upgrade {

		private static final TestDatabase DATABASE = TestDatabase.h2();

		OnH2() throws IOException {
			super(DATABASE, Dialect.H2);
		}

	}

	@Nested
	class OnPostgres extends Upgrade {

		private static final TestPostgres SERVER = TestPostgres.start();

		private static final TestDatabase DATABASE = TestDatabase.postgresql(SERVER.url());

		OnPostgres() throws IOException {
			super(DATABASE, Dialect.POSTGRESQL);
		}

	}

	abstract static class Upgrade {

		private final TestDatabase database;

		private final JdbcIdempotencyStore store;

		private final FormerJdbcNode former;

		Upgrade(TestDatabase database, Dialect dialect) throws IOException {
			this.database = database;
			this.store = new JdbcIdempotencyStore(database.dataSource());
			this.former = new FormerJdbcNode(database.dataSource(), dialect.name().toLowerCase(Locale.ROOT));
			database.sql().execute("drop table idempotent_record");
			database.sql().execute(FormerJdbcNode.schema(database.platform()));
			if (dialect == Dialect.POSTGRESQL) {
				upgrade("create index idempotent_record_claim on idempotent_record (lease_end) where state = 2");
			}
			else {
				upgrade("create index idempotent_record_claim on idempotent_record (state, lease_end)");
			}
		}

		/** The statements of docs/reference/jdbc-store.md. */
		private void upgrade(String index) {
			this.database.sql().execute("alter table idempotent_record add column origin varchar(440)");
			this.database.sql().execute(index);
		}

		private StoreSubmission submission() {
			return StoreSubmission.to(this.store);
		}

		@Test
		void thisVersionReadsWhatTheFormerOneWrites() {
			StoreSubmission running = submission();
			assertThat(this.former.claim(running.request())).isEqualTo(1);
			assertThat(running.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
			assertThat(this.store.inspect(running.key()).state()).isEqualTo(RecordState.IN_PROGRESS);
			assertThat(this.store.inspect(running.key()).origin()).isNull();
			assertThat(this.former.complete(running.claimId(1), ANSWER, Duration.ofMinutes(1))).isTrue();
			ClaimResult.Completed done = (ClaimResult.Completed) running.again().from(ORIGIN).claim();
			assertThat(done.outcome()).isEqualTo(ANSWER);
			assertThat(done.origin()).isNull();
		}

		@Test
		void theFormerVersionReadsWhatThisOneWrites() {
			StoreSubmission running = submission().from(ORIGIN);
			ClaimId claim = running.granted();
			assertThat(this.former.claim(running.again().request())).isZero();
			assertThat(this.former.state(running.request())).isEqualTo(StoredRecord.CLAIMED);
			running.complete(claim, ANSWER);
			assertThat(this.former.claim(running.again().request())).isZero();
			assertThat(this.former.state(running.request())).isEqualTo(StoredRecord.COMPLETED);
		}

		@Test
		void theFormerVersionTakesOverAndLeavesNoFalseOrigin() {
			StoreSubmission lapsed = submission().from(ORIGIN).keeping(Duration.ofMillis(1), Duration.ofMinutes(1));
			lapsed.granted();
			ClaimRequest next = lapsed.again().keeping(Duration.ofMinutes(1), Duration.ofMinutes(1)).request();
			await().until(() -> this.former.claim(next) == 2);
			assertThat(this.store.inspect(lapsed.key()).origin()).isNull();
			assertThat(this.store.inspect(lapsed.key()).owner()).isEqualTo(next.owner());
		}

		@Test
		void theFormerVersionFollowsAnOperator() {
			for (Kind kind : Kind.values()) {
				StoreSubmission running = submission().from(ORIGIN);
				ClaimId claim = running.granted();
				assertThat(
						this.store.settle(new Settlement(claim.key(), claim.owner(), 1, kind, true, new Owner(1, 2))))
					.isEqualTo(SettlementResult.SETTLED);
				assertThat(this.former.claim(running.again().request())).isEqualTo((kind == Kind.RELEASE) ? 2 : 0);
			}
		}

		@Test
		void anOperatorSettlesAClaimOfTheFormerVersion() {
			StoreSubmission running = submission();
			this.former.claim(running.request());
			for (Kind kind : List.of(Kind.RELEASE, Kind.CONFIRM)) {
				assertThat(this.store
					.settle(new Settlement(running.key(), running.request().owner(), 1, kind, false, new Owner(1, 2))))
					.isEqualTo(SettlementResult.ALIVE);
			}
			assertThat(this.store.settle(
					new Settlement(running.key(), running.request().owner(), 1, Kind.CONFIRM, true, new Owner(1, 2))))
				.isEqualTo(SettlementResult.SETTLED);
			assertThat(this.former.complete(running.claimId(1), ANSWER, Duration.ofMinutes(1))).isFalse();
		}

		@Test
		void aTableWithoutTheColumnIsNamed() {
			this.database.sql().execute("alter table idempotent_record drop column origin");
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> submission().claim())
				.withMessageContaining("docs/reference/jdbc-store.md");
		}

	}

}
