package io.idempotent.redis;

import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RedisAddressTests {

	private static final RedisPassword SECRET = RedisPassword.of("secret");

	@Test
	void aFactoryThatDoesNotTellItsServersHasNoAddress() {
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration("cache.example.com",
				6380);
		assertThat(RedisAddress.of(new LettuceConnectionFactory(servers))).isEmpty();
	}

	@Test
	void namesAServerWithoutItsCredentials() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("cache.example.com", 6380);
		server.setUsername("clerk");
		server.setPassword(SECRET);
		assertThat(RedisAddress.of(new LettuceConnectionFactory(server))).isEqualTo("cache.example.com:6380");
	}

	@Test
	void namesASocket() {
		assertThat(RedisAddress.of(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock"))))
			.isEqualTo("the socket /run/redis.sock");
	}

	@Test
	void namesTheNodesOfACluster() {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(Set.of("b:2", "a:1"));
		cluster.setPassword(SECRET);
		assertThat(RedisAddress.of(new LettuceConnectionFactory(cluster))).isEqualTo("the cluster [a:1, b:2]");
	}

	@Test
	void namesTheMasterAndItsSentinels() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration("mymaster", Set.of("b:2", "a:1"));
		sentinels.setSentinelPassword(SECRET);
		assertThat(RedisAddress.of(new LettuceConnectionFactory(sentinels)))
			.isEqualTo("the master 'mymaster' of the sentinels [a:1, b:2]");
	}

}
