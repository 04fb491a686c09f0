package io.idempotent.redis;

import java.time.Duration;
import java.util.function.Function;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisUnderTest;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A store, and the client that it reaches its Redis with.
 */
final class TestStore implements AutoCloseable {

	/** For what is about a server that does not respond. */
	static final Duration TIMEOUT = Duration.ofSeconds(2);

	/**
	 * For all else: on a busy machine, the first connection of a JVM may take seconds.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	static final String PREFIX = "idem:";

	private final LettuceConnectionFactory connections;

	private final RedisIdempotencyStore store;

	TestStore(RedisConfiguration configuration) {
		this(configuration, PREFIX);
	}

	TestStore(RedisConfiguration configuration, String prefix) {
		this(configuration, prefix, TIMEOUT, TIMEOUT);
	}

	/** A store that is more patient than its client, or less. */
	TestStore(RedisConfiguration configuration, Duration commandTimeout, Duration timeout) {
		this(configuration, PREFIX, commandTimeout, timeout);
	}

	private TestStore(RedisConfiguration configuration, String prefix, Duration commandTimeout, Duration timeout) {
		this(configuration, LettuceClientConfiguration.builder().commandTimeout(commandTimeout), prefix, timeout);
	}

	private TestStore(RedisConfiguration configuration, LettuceClientConfigurationBuilder client, String prefix,
			Duration timeout) {
		this.connections = new LettuceConnectionFactory(configuration, client.shutdownTimeout(Duration.ZERO).build());
		this.connections.start();
		this.store = new RedisIdempotencyStore(this.connections, prefix, timeout);
	}

	/**
	 * A store on an embedded or a named server, with the prefix of the run.
	 */
	static TestStore of(RedisUnderTest server) {
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.apply(server.uri())
			.commandTimeout(PATIENCE);
		RedisConfiguration configuration = LettuceConnectionFactory.createRedisConfiguration(server.uri());
		return new TestStore(server.isCluster() ? cluster((RedisStandaloneConfiguration) configuration) : configuration,
				client, server.prefix(), PATIENCE);
	}

	private static RedisClusterConfiguration cluster(RedisStandaloneConfiguration node) {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode(node.getHostName(),
				node.getPort());
		cluster.setUsername(node.getUsername());
		cluster.setPassword(node.getPassword());
		return cluster;
	}

	/**
	 * A store that the user of the documentation has, with its prefix.
	 */
	static TestStore ofUser(EmbeddedRedis server, String password) {
		return ofUser(server, password, "shop:idem:");
	}

	static TestStore ofUser(EmbeddedRedis server, String password, String prefix) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.host(), server.port());
		configuration.setUsername(RedisAcl.USER);
		configuration.setPassword(password);
		return new TestStore(configuration, prefix, PATIENCE, PATIENCE);
	}

	RedisIdempotencyStore store() {
		return this.store;
	}

	LettuceConnectionFactory connections() {
		return this.connections;
	}

	<T> T ask(Function<RedisConnection, T> question) {
		try (RedisConnection connection = this.connections.getConnection()) {
			return question.apply(connection);
		}
	}

	@Override
	public void close() {
		this.store.close();
		this.connections.destroy();
	}

}
