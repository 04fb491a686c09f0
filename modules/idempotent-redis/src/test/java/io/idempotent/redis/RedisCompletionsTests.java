package io.idempotent.redis;

import java.util.List;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.Outcome;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers that are large enough to be moved to the record of the claim. */
class RedisCompletionsTests {

	private static final Outcome LARGE = Outcome.stored(new byte[16_384]);

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/redis-store.md");

	@AutoClose
	private static EmbeddedRedis server;

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
	}

	@BeforeEach
	void empty() {
		DOCUMENTED.set(server);
		RedisTalk.tell(server, "FLUSHALL");
	}

	private static TestStore client() {
		return TestStore.ofUser(server, RedisAcl.PASSWORD);
	}

	@Test
	void aMovedAnswerLeavesNoOtherKeyAndLivesAsLongAsItsRetention() {
		try (TestStore client = client()) {
			StoreSubmission first = StoreSubmission.to(client.store());
			assertThat(first.complete(first.granted(), LARGE)).isEqualTo(Ownership.HELD);
			assertFound(first);
			assertThat(client.store().inspect(first.key()).retentionLeft()).isBetween(RETENTION.minusSeconds(10),
					RETENTION);
		}
	}

	@Test
	void anAnswerOfALostClaimIsDeleted() {
		try (TestStore client = client()) {
			StoreSubmission first = StoreSubmission.to(client.store());
			ClaimId claim = first.granted();
			first.complete(claim, Outcome.TOMBSTONE);
			assertThat(first.complete(first.again().claimId(1), LARGE)).isEqualTo(Ownership.LOST);
			assertThat(first.complete(claim, LARGE)).isEqualTo(Ownership.HELD);
			assertThat(first.again().claim()).isInstanceOfSatisfying(ClaimResult.Completed.class,
					(met) -> assertThat(met.outcome()).isEqualTo(Outcome.TOMBSTONE));
			assertThat(RedisAcl.keys(server)).hasSize(1);
		}
	}

	@Test
	void aUserWithoutThePermissionToRenameStoresLargeAnswersToo() {
		for (String permission : List.of("+rename", "+getrange")) {
			DOCUMENTED.without(permission).set(server);
			try (TestStore client = client()) {
				for (int i = 0; i < 3; i++) {
					StoreSubmission first = StoreSubmission.to(client.store());
					assertThat(first.complete(first.granted(), LARGE)).isEqualTo(Ownership.HELD);
					assertFound(first);
					RedisTalk.tell(server, "FLUSHALL");
				}
			}
			assertThat(RedisAcl.denied(server)).hasSize(1).anyMatch(RedisAcl.denialOf(permission));
		}
	}

	/** As in a Cluster while the slot of both keys moves. */
	@Test
	void anAnswerWhoseOwnKeyIsRefusedIsStoredAllTheSame() {
		DOCUMENTED.without("~shop:idem:*").and(List.of("~shop:idem:[-A-Za-z0-9_]*")).set(server);
		try (TestStore client = client()) {
			StoreSubmission first = StoreSubmission.to(client.store());
			assertThat(first.complete(first.granted(), LARGE)).isEqualTo(Ownership.HELD);
			assertFound(first);
		}
		assertThat(RedisAcl.denied(server)).anyMatch((denied) -> denied.startsWith("key shop:idem:{"));
	}

	@Test
	void aServerThatForgotTheScriptLearnsIt() {
		try (TestStore client = client()) {
			StoreSubmission first = StoreSubmission.to(client.store());
			ClaimId claim = first.granted();
			RedisTalk.tell(server, "SCRIPT FLUSH");
			assertThat(first.complete(claim, LARGE)).isEqualTo(Ownership.HELD);
			assertFound(first);
		}
	}

	private static void assertFound(StoreSubmission first) {
		assertThat(first.again().caching().claim()).isInstanceOfSatisfying(ClaimResult.Completed.class, (met) -> {
			assertThat(met.outcome()).isEqualTo(LARGE);
			assertThat(met.retentionLeft()).isPositive();
		});
		assertThat(RedisAcl.keys(server)).hasSize(1);
	}

}
