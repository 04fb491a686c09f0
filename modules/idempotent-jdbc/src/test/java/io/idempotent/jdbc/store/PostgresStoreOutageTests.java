package io.idempotent.jdbc.store;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What is told when the network or the server fails, and what stands afterwards.
 */
@Tag("slow")
@Timeout(120)
class PostgresStoreOutageTests {

	@AutoClose
	private static TestPostgres postgres;

	private static TestDatabase database;

	private final FaultyProxy network = new FaultyProxy("127.0.0.1", postgres.port());

	private final HikariDataSource pool = database
		.at(postgres.url().replace(":" + postgres.port(), ":" + this.network.port()))
		.pool(2);

	private final ObservedDataSource observed = new ObservedDataSource(this.pool);

	private final StoreSubmission first = StoreSubmission
		.to(new JdbcIdempotencyStore(this.observed, JdbcIdempotencyStore.DEFAULT_TABLE, Duration.ofSeconds(1)));

	@BeforeAll
	static void start() {
		postgres = TestPostgres.start();
		database = TestDatabase.postgresql(postgres.url());
	}

	@AfterEach
	void stop() {
		this.network.close();
		this.pool.close();
	}

	@Test
	void aClaimWhoseAnswerWasLostIsReadBack() {
		this.observed.before(1, this.network::dropNextReply);
		assertUnavailable("claim", this.first::claim);
		assertThat(this.first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(this.first.claim()).isEqualTo(new ClaimResult.Granted(1, false));
	}

	@Test
	void aCompletionWhoseAnswerWasLostIsRepeated() {
		ClaimId claim = this.first.granted();
		this.observed.before(1, this.network::dropNextReply);
		assertUnavailable("complete", () -> this.first.complete(claim, Outcome.TOMBSTONE));
		assertThat(this.first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
	}

	@Test
	void aSilentServerIsGivenUp() {
		this.first.granted();
		this.network.freeze();
		assertUnavailable("claim", this.first.again()::claim);
		this.network.thaw();
	}

	@Test
	void aClaimOutlivesTheDeathOfTheServer() {
		ClaimId claim = this.first.granted();
		postgres.kill();
		assertUnavailable("issue", () -> this.first.again().issued(RETENTION));
		assertUnavailable("claim", this.first.again()::claim);
		assertUnavailable("renew", () -> this.first.store().renew(claim, LEASE));
		assertUnavailable("complete", () -> this.first.complete(claim, Outcome.TOMBSTONE));
		postgres.restart();
		await().atMost(Duration.ofSeconds(25))
			.ignoreExceptionsInstanceOf(StoreUnavailableException.class)
			.untilAsserted(() -> assertThat(this.first.again().claim()).isInstanceOf(ClaimResult.InProgress.class));
		assertThat(this.first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
	}

	private void assertUnavailable(String word, ThrowingCallable call) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call)
			.withMessageContaining(word + " operation " + this.first.key());
	}

}
