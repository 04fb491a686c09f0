package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class RedisFailureTests {

	@AutoClose
	private final TestRedis redis = TestRedis.startImpatiently();

	private StoreSubmission submission() {
		return StoreSubmission.to(this.redis.store());
	}

	@Test
	void aStoppedRedisIsReportedWithinTheTimeoutUntilItIsBack() {
		StoreSubmission first = submission();
		ClaimId claim = first.granted();
		this.redis.server().stop();
		assertRefused("issue", () -> submission().issued(RETENTION));
		assertRefused("claim", first::claim);
		assertRefused("renewal", () -> this.redis.store().renew(claim, LEASE));
		assertRefused("completion", () -> first.complete(claim, Outcome.TOMBSTONE));
		assertRefused("release", () -> first.release(claim, Release.NO_EFFECT));
		this.redis.server().restart();
		await().atMost(Duration.ofSeconds(20))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD));
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
	}

	@Test
	void aRedisThatNeverStartedIsReported() {
		this.redis.server().stop();
		assertRefused("claim", () -> submission().claim());
	}

	@Test
	void aFullRedisRefusesClaimsAndStillAnswersRepeats() {
		StoreSubmission done = submission();
		done.complete(done.granted(), Outcome.TOMBSTONE);
		StoreSubmission running = submission();
		ClaimId claim = running.granted();
		configure("maxmemory", "1");
		assertRefused("OOM", () -> submission().claim());
		assertRefused("OOM", () -> submission().issued(RETENTION));
		assertRefused("OOM", () -> running.complete(claim, Outcome.TOMBSTONE));
		assertThat(done.again().claim()).isInstanceOf(ClaimResult.Completed.class);
		assertThat(running.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(running.again().listening().claim()).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(this.redis.store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
		assertThat(running.release(claim, Release.NO_EFFECT)).isEqualTo(Ownership.HELD);
		configure("maxmemory", "0");
		assertThat(running.again().claim()).isEqualTo(new ClaimResult.Granted(1, false));
	}

	@Test
	void aFullRedisRenewsTheClaimOfAToken() {
		StoreSubmission running = submission().issued(RETENTION).ifIssued();
		ClaimId claim = running.granted();
		// The token has less time left than when it was claimed, which the record notes.
		TestRedis.sleep(Duration.ofMillis(50));
		configure("maxmemory", "1");
		assertThat(this.redis.store().renew(claim, LEASE)).isEqualTo(Ownership.HELD);
	}

	/** As Lettuce repeats a claim after a lost connection. */
	@Test
	void aClaimWhoseRepetitionIsRefusedMayHaveTakenEffect() {
		StoreSubmission running = submission();
		running.granted();
		configure("maxmemory", "1");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(running::claim)
			.withMessageContaining("OOM")
			.matches(StoreUnavailableException::mayHaveTakenEffect);
	}

	@Test
	void aReplicaTakesNoClaims() {
		this.redis.ask((connection) -> {
			connection.serverCommands().replicaOf("127.0.0.1", 1);
			return true;
		});
		assertRefused("READONLY", () -> submission().claim());
		assertRefused("READONLY", () -> submission().issued(RETENTION));
	}

	@Test
	void aMasterWithoutEnoughReplicasTakesNoClaims() {
		configure("min-replicas-to-write", "1");
		assertRefused("NOREPLICAS", () -> submission().claim());
	}

	@Test
	void anEvictionPolicyIsReported() {
		assertThat(this.redis.store().evictingPolicy()).isEmpty();
		for (String policy : new String[] { "allkeys-lru", "volatile-ttl" }) {
			configure("maxmemory-policy", policy);
			assertThat(this.redis.store().evictingPolicy()).contains(policy);
		}
	}

	@Test
	void aRedisThatHidesItsPolicyIsNotReported() {
		configure("maxmemory-policy", "allkeys-lru");
		this.redis.ask((connection) -> connection.execute("ACL", bytes("SETUSER"), bytes("default"), bytes("-config")));
		assertThat(this.redis.store().evictingPolicy()).isEmpty();
	}

	private void configure(String name, String value) {
		this.redis.ask((connection) -> {
			connection.serverCommands().setConfig(name, value);
			return true;
		});
	}

	private static void assertRefused(String said, ThrowingCallable call) {
		long start = System.nanoTime();
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call)
			.withMessageContaining(said)
			.withMessageContaining("spring.data.redis")
			.satisfies((failure) -> assertThat(failure.mayHaveTakenEffect())
				.isEqualTo(failure.getMessage().contains("may or may not have taken effect")))
			.satisfies((failure) -> assertThat(failure.getMessage().contains("did not answer"))
				.isEqualTo(failure.mayHaveTakenEffect()));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestRedis.TIMEOUT.multipliedBy(3));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
