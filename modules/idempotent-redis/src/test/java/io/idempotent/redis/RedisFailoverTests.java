package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

import static io.idempotent.contract.store.StoreSubmission.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A master dies, and its replica goes on with what it was told.
 */
@Tag("slow")
class RedisFailoverTests {

	@Test
	void aClaimThatTheReplicaHasSurvivesAFailoverBySentinels() {
		try (RedisSentinelSet servers = RedisSentinelSet.start();
				TestStore client = new TestStore(new RedisSentinelConfiguration(RedisSentinelSet.MASTER_NAME,
						Set.copyOf(servers.sentinelAddresses())))) {
			StoreSubmission first = StoreSubmission.to(client.store());
			ClaimId claim = firstClaim(first);
			servers.awaitReplication();
			servers.killMaster();
			servers.awaitFailover();
			assertHeld(client, first, claim);
		}
	}

	@Test
	void aClaimThatTheReplicaHasSurvivesAFailoverInACluster() {
		try (RedisCluster cluster = RedisCluster.start();
				TestStore client = new TestStore(new RedisClusterConfiguration(cluster.addresses()))) {
			StoreSubmission first = StoreSubmission.to(client.store());
			ClaimId claim = firstClaim(first);
			String key = new String(new RedisKeys(TestStore.PREFIX).key(first.key()), StandardCharsets.US_ASCII);
			cluster.awaitReplicationOf(key);
			cluster.killMasterOf(key);
			cluster.awaitFailoverOf(key);
			assertHeld(client, first, claim);
		}
	}

	/** The first connection takes longer than a call may wait on a busy machine. */
	private static ClaimId firstClaim(StoreSubmission first) {
		return await().atMost(Duration.ofSeconds(30))
			.ignoreException(StoreUnavailableException.class)
			.until(first::granted, (claim) -> true);
	}

	private static void assertHeld(TestStore client, StoreSubmission first, ClaimId claim) {
		await().atMost(Duration.ofSeconds(30))
			.ignoreException(StoreUnavailableException.class)
			.until(() -> client.store().renew(claim, LEASE) == Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		StoreSubmission.to(client.store()).granted();
		assertThat(first.complete(claim, Outcome.TOMBSTONE)).isEqualTo(Ownership.HELD);
		assertThat(first.again().claim()).isInstanceOf(ClaimResult.Completed.class);
	}

}
