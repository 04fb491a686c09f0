package io.idempotent.jdbc.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.support.Digest;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Somebody else's transaction holds the rows of some claims: their renewals wait until
 * the statement times out, those of other claims do not.
 */
@Tag("slow")
class LockedRowRenewalTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final OperationPolicy POLICY = new OperationPolicy("order", LEASE, Duration.ofHours(1),
			Duration.ofSeconds(1), WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE,
			WhenStoreFails.REJECT, false, false, "");

	@Test
	void aLockedRowDelaysTheRenewalOfItsOwnClaimOnly() throws Exception {
		try (HikariDataSource pool = TestDatabase.postgresql(TestPostgres.newDatabase()).pool(12);
				IdempotencyGate gate = gate(pool);
				Connection other = pool.getConnection()) {
			List<Claim> locked = IntStream.range(0, 3).mapToObj((number) -> claim(gate)).toList();
			other.setAutoCommit(false);
			for (Claim claim : locked) {
				lock(other, claim.key());
			}
			Claim free = claim(gate);
			long start = System.nanoTime();
			await().atMost(Duration.ofSeconds(30)).until(() -> locked.stream().allMatch(Claim::isLost));
			await().atMost(Duration.ofSeconds(30)).until(() -> System.nanoTime() - start > 3 * LEASE.toNanos());
			assertThat(free.isLost()).isFalse();
			other.rollback();
		}
	}

	private static IdempotencyGate gate(HikariDataSource pool) {
		return new IdempotencyGateBuilder(
				new JdbcIdempotencyStore(pool, JdbcIdempotencyStore.DEFAULT_TABLE, Duration.ofSeconds(2)))
			.build();
	}

	private static Claim claim(IdempotencyGate gate) {
		String value = UUID.randomUUID().toString();
		return ((Decision.Run) gate
			.enter(Entrance.METHOD, new SubmissionContext(POLICY),
					new Submission(OperationKey.of("shop", "order", List.of(), value), value,
							new Fingerprint(Digest.sha256().add("tea").build()), Admission.OPEN, Duration.ZERO),
					(answer) -> false)
			.decision()).claim();
	}

	private static void lock(Connection connection, OperationKey key) throws Exception {
		try (PreparedStatement select = connection
			.prepareStatement("select 1 from idempotent_record where operation_key = ? for update")) {
			select.setBytes(1, key.digest().bytes());
			assertThat(select.executeQuery().next()).isTrue();
		}
	}

}
