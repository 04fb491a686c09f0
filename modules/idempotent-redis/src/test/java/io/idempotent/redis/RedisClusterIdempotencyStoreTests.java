package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class RedisClusterIdempotencyStoreTests extends RedisStoreContract {

	private static RedisCluster cluster;

	private static TestStore client;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start();
		client = new TestStore(new RedisClusterConfiguration(cluster.addresses()), TestStore.PATIENCE,
				TestStore.PATIENCE);
	}

	@AfterAll
	static void stop() {
		client.close();
		cluster.close();
	}

	@Override
	protected IdempotencyStore store() {
		return client.store();
	}

	@Test
	void anEvictionPolicyIsReportedByAnyNode() {
		assertThat(client.store().evictingPolicy()).isEmpty();
		client.ask((connection) -> {
			connection.serverCommands().setConfig("maxmemory-policy", "volatile-lru");
			return true;
		});
		assertThat(client.store().evictingPolicy()).contains("volatile-lru");
	}

	@Test
	void onlyTheFirstEndWaitsForAHangingServer() throws Exception {
		// Less than the time after which the Cluster declares the server failed.
		Duration timeout = Duration.ofMillis(700);
		try (TestStore impatient = new TestStore(new RedisClusterConfiguration(cluster.addresses()), TestStore.PATIENCE,
				timeout)) {
			List<ClaimId> claims = Stream.generate(() -> StoreSubmission.to(client.store()).granted())
				.limit(40)
				.toList();
			// Connects to all servers.
			claims.forEach((claim) -> await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
				.until(() -> impatient.store().renew(claim, StoreSubmission.LEASE) == Ownership.HELD));
			EmbeddedRedis still = cluster.masterOf("any");
			long process = RedisTalk.number(still, "server", "process_id").orElseThrow();
			signal(process, "-STOP");
			int inVain = 0;
			long start = System.nanoTime();
			try {
				for (ClaimId claim : claims) {
					try {
						impatient.store().complete(claim, Outcome.TOMBSTONE, StoreSubmission.RETENTION);
					}
					catch (StoreUnavailableException ex) {
						inVain++;
					}
				}
			}
			finally {
				signal(process, "-CONT");
			}
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			assertThat(inVain).isBetween(4, 36);
			assertThat(took).isLessThan(timeout.multipliedBy(3));
		}
	}

	private static void signal(long process, String signal) throws Exception {
		assertThat(new ProcessBuilder("kill", signal, Long.toString(process)).start().waitFor()).isZero();
	}

}
