package io.idempotent.redis;

import java.time.Duration;
import java.util.function.Function;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Unchecked;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * A real Redis, a client of it, and a store in it.
 */
final class TestRedis implements AutoCloseable {

	static final Duration TIMEOUT = TestStore.TIMEOUT;

	private final EmbeddedRedis server;

	private final TestStore client;

	private TestRedis(EmbeddedRedis server, Duration timeout) {
		this.server = server;
		this.client = new TestStore(new RedisStandaloneConfiguration(server.host(), server.port()), timeout, timeout);
	}

	static TestRedis start(String... arguments) {
		return new TestRedis(EmbeddedRedis.start(arguments), TestStore.PATIENCE);
	}

	/** With a client that gives up soon. */
	static TestRedis startImpatiently() {
		return new TestRedis(EmbeddedRedis.start(), TIMEOUT);
	}

	EmbeddedRedis server() {
		return this.server;
	}

	RedisIdempotencyStore store() {
		return this.client.store();
	}

	<T> T ask(Function<RedisConnection, T> question) {
		return this.client.ask(question);
	}

	static void sleep(Duration time) {
		Unchecked.run(() -> Thread.sleep(time.toMillis()));
	}

	@Override
	public void close() {
		this.client.close();
		this.server.close();
	}

}
