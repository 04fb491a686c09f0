package io.idempotent.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class RedisClusterIdempotencyStoreTests extends RedisStoreContract {

	private static final RedisCluster cluster = RedisCluster.start();

	private static final TestStore client = new TestStore(new RedisClusterConfiguration(cluster.addresses()));

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
		TestStore impatient = new TestStore(new RedisClusterConfiguration(cluster.addresses()), Duration.ofSeconds(5),
				Duration.ofMillis(700));
		List<StoreSubmission> submissions = new ArrayList<>();
		List<ClaimId> claims = new ArrayList<>();
		while (claims.size() < 40) {
			StoreSubmission each = StoreSubmission.to(impatient.store());
			submissions.add(each);
			claims.add(each.granted());
		}
		EmbeddedRedis still = cluster.masterOf("any");
		long process = RedisTalk.number(still, "server", "process_id").orElseThrow();
		signal(process, "-STOP");
		int inVain = 0;
		long start = System.nanoTime();
		try {
			for (int i = 0; i < claims.size(); i++) {
				try {
					submissions.get(i).complete(claims.get(i), Outcome.TOMBSTONE);
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
		assertThat(took).isLessThan(Duration.ofMillis(3 * 700));
		impatient.close();
	}

	private static void signal(long process, String signal) throws Exception {
		assertThat(new ProcessBuilder("kill", signal, Long.toString(process)).start().waitFor()).isZero();
	}

}
