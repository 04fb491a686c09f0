package io.idempotent.redis;

import java.util.Collection;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The address of Redis for messages: hosts and ports, never a user or a password. */
final class RedisAddress {

	private RedisAddress() {
	}

	/** Returns an empty text if the address is unknown. */
	static String of(RedisConnectionFactory connections) {
		if (connections instanceof LettuceConnectionFactory lettuce) {
			RedisSocketConfiguration socket = lettuce.getSocketConfiguration();
			return (socket != null) ? "the socket " + socket.getSocket() : of(lettuce.getClusterConfiguration(),
					lettuce.getSentinelConfiguration(), lettuce.getStandaloneConfiguration());
		}
		return (connections instanceof JedisConnectionFactory jedis) ? of(jedis.getClusterConfiguration(),
				jedis.getSentinelConfiguration(), jedis.getStandaloneConfiguration()) : "";
	}

	private static String of(@Nullable RedisClusterConfiguration cluster, @Nullable RedisSentinelConfiguration sentinel,
			@Nullable RedisStandaloneConfiguration standalone) {
		if (cluster != null) {
			return "the cluster " + sorted(cluster.getClusterNodes());
		}
		if (sentinel != null) {
			return "the master '" + Objects.requireNonNull(sentinel.getMaster()).getName() + "' of the sentinels "
					+ sorted(sentinel.getSentinels());
		}
		return (standalone != null && !isDefault(standalone)) ? standalone.getHostName() + ":" + standalone.getPort()
				: "";
	}

	/** A factory with another kind of configuration still returns these defaults. */
	private static boolean isDefault(RedisStandaloneConfiguration standalone) {
		RedisStandaloneConfiguration untouched = new RedisStandaloneConfiguration();
		return standalone.getHostName().equals(untouched.getHostName()) && standalone.getPort() == untouched.getPort();
	}

	private static String sorted(Collection<RedisNode> nodes) {
		return nodes.stream().map(RedisNode::asString).sorted().toList().toString();
	}

}
