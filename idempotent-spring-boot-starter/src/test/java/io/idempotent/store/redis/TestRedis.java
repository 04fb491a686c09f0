package io.idempotent.store.redis;

import java.time.Duration;
import java.util.function.Function;

import io.idempotent.embedded.EmbeddedRedis;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A real Redis, a client of it, and a store in it.
 */
final class TestRedis implements AutoCloseable {

	static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final EmbeddedRedis server;

	private final LettuceConnectionFactory connections;

	private final RedisIdempotencyStore store;

	private TestRedis(EmbeddedRedis server, RedisConfiguration configuration) {
		this.server = server;
		this.connections = new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).shutdownTimeout(Duration.ZERO).build());
		this.connections.start();
		this.store = new RedisIdempotencyStore(this.connections, "idem:");
	}

	static TestRedis start(String... arguments) {
		return connectTo(EmbeddedRedis.start(arguments),
				(server) -> new RedisStandaloneConfiguration(server.host(), server.port()));
	}

	static TestRedis connectTo(EmbeddedRedis server, Function<EmbeddedRedis, RedisConfiguration> configuration) {
		return new TestRedis(server, configuration.apply(server));
	}

	EmbeddedRedis server() {
		return this.server;
	}

	RedisIdempotencyStore store() {
		return this.store;
	}

	<T> T ask(Function<RedisConnection, T> question) {
		try (RedisConnection connection = this.connections.getConnection()) {
			return question.apply(connection);
		}
	}

	static void sleep(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.store.close();
		this.connections.destroy();
		this.server.close();
	}

}
