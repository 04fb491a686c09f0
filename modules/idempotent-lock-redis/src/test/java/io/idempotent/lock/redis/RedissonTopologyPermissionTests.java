package io.idempotent.lock.redis;

import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented rules where there are several servers, with Redisson and without it.
 */
@Tag("slow")
@Timeout(300)
class RedissonTopologyPermissionTests {

	private static final String PROBE = "command eval";

	/** What Lettuce needs beyond it in a Cluster. */
	private static final List<String> LETTUCE = List.of("+cluster|myid", "+client|setname");

	@Test
	void theRuleForAClusterIsSufficientAndMinimal() throws Exception {
		try (RedisCluster cluster = RedisCluster.start()) {
			assertSuffices(RedisAcl.of("reference/lock-engines.md", "+cluster"), TestRedisson.of(cluster),
					cluster.servers());
		}
	}

	@Test
	void theRuleForSentinelsIsSufficientAndMinimal() throws Exception {
		try (RedisSentinelSet servers = RedisSentinelSet.start()) {
			assertSuffices(RedisAcl.of("reference/lock-engines.md", "+info"), TestRedisson.of(servers),
					List.of(servers.master(), servers.replica()));
		}
	}

	private static void assertSuffices(RedisAcl acl, TestRedisson clients, List<EmbeddedRedis> servers)
			throws Exception {
		assertThat(denied(acl, clients, servers)).isSubsetOf(PROBE);
		assertThat(denied(acl.and(LETTUCE), clients.withoutRedisson(), servers)).isEmpty();
		for (String permission : acl.beyond(RedisAcl.of("reference/lock-engines.md"))) {
			assertThat(denied(acl.without(permission), clients, servers)).anyMatch(RedisAcl.denialOf(permission));
		}
	}

	private static List<String> denied(RedisAcl acl, TestRedisson servers, List<EmbeddedRedis> all) throws Exception {
		all.forEach(acl::set);
		try (TestRedisson clients = servers.asUser(RedisAcl.PASSWORD).impatient()) {
			AllOfALock.use(clients.node(), clients.node());
		}
		catch (LockUnavailableException ex) {
			assertThat(ex).satisfiesAnyOf((one) -> assertThat(one).hasStackTraceContaining("NOPERM"),
					(one) -> assertThat(one).hasStackTraceContaining("The user executing the script can't"));
		}
		return all.stream().flatMap((server) -> RedisAcl.denied(server).stream()).toList();
	}

}
