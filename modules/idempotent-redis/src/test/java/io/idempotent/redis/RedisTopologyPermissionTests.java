package io.idempotent.redis;

import java.util.List;
import java.util.Set;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented rules where there are several servers.
 */
@Tag("slow")
class RedisTopologyPermissionTests {

	@Test
	void theRuleForAClusterIsSufficientAndMinimal() {
		RedisAcl acl = RedisAcl.of("reference/redis-store.md", "+cluster");
		try (RedisCluster cluster = RedisCluster.start()) {
			assertThat(denied(acl, new RedisClusterConfiguration(cluster.addresses()), cluster.servers())).isEmpty();
			for (String permission : acl.beyond(RedisAcl.of("reference/redis-store.md"))) {
				assertThat(denied(acl.without(permission), new RedisClusterConfiguration(cluster.addresses()),
						cluster.servers()))
					.anyMatch(RedisAcl.denialOf(permission));
			}
		}
	}

	@Test
	void theRuleForOneServerIsSufficientBehindSentinels() {
		try (RedisSentinelSet servers = RedisSentinelSet.start()) {
			assertThat(denied(RedisAcl.of("reference/redis-store.md"),
					new RedisSentinelConfiguration(RedisSentinelSet.MASTER_NAME,
							Set.copyOf(servers.sentinelAddresses())),
					List.of(servers.master(), servers.replica())))
				.isEmpty();
		}
	}

	private static <T extends RedisConfiguration & WithAuthentication> List<String> denied(RedisAcl acl,
			T configuration, List<EmbeddedRedis> servers) {
		servers.forEach(acl::set);
		configuration.setUsername(RedisAcl.USER);
		configuration.setPassword(RedisAcl.PASSWORD);
		try (TestStore client = new TestStore(configuration, "shop:idem:")) {
			AllOfAStore.use(client.store(), () -> false);
		}
		catch (StoreUnavailableException ex) {
			assertThat(ex).satisfiesAnyOf((one) -> assertThat(one).hasStackTraceContaining("NOPERM"),
					(one) -> assertThat(one).hasStackTraceContaining("The user executing the script can't"));
		}
		return servers.stream().flatMap((server) -> RedisAcl.denied(server).stream()).toList();
	}

}
