package io.idempotent.testing;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class RedisClusterTests {

	@Test
	void aReplicaTakesOverTheKeysOfADeadMaster() {
		try (RedisCluster cluster = RedisCluster.start()) {
			for (String key : new String[] { "a", "b", "c", "d" }) {
				RedisTalk.tell(cluster.masterOf(key), "SET " + key + " hello");
			}
			assertThat(cluster.masterOf("a")).isNotSameAs(cluster.masterOf("b"));
			EmbeddedRedis dead = cluster.masterOf("a");
			cluster.awaitReplicationOf("a");
			cluster.killMasterOf("a");
			cluster.awaitFailoverOf("a");
			assertThat(cluster.masterOf("a")).isNotSameAs(dead);
			assertThat(RedisTalk.ask(cluster.masterOf("a"), "GET a")).contains("hello");
			RedisTalk.tell(cluster.masterOf("a"), "SET a again");
		}
	}

}
