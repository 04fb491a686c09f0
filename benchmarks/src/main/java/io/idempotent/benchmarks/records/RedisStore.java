package io.idempotent.benchmarks.records;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.OperationKey;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * A Redis, a client of it, and a store in it.
 */
public final class RedisStore implements AutoCloseable {

	/** What its keys begin with. */
	public static final String PREFIX = "idem:";

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final RedisServer redis = RedisServer.start();

	private final RedisIdempotencyStore store = new RedisIdempotencyStore(this.redis.connections(), PREFIX, TIMEOUT);

	/**
	 * The server.
	 * @return the server
	 */
	public EmbeddedRedis server() {
		return this.redis.server();
	}

	/**
	 * The store itself.
	 * @return the store
	 */
	public RedisIdempotencyStore store() {
		return this.store;
	}

	/**
	 * The steps of its records.
	 * @return the steps
	 */
	public Records records() {
		return new Records(this.store);
	}

	/**
	 * What the record of an operation is called in Redis.
	 * @param key the operation's key
	 * @return the name
	 */
	public static String name(OperationKey key) {
		return PREFIX + key.encoded();
	}

	/**
	 * The application's connection, for what the store does not do.
	 * @return the connection
	 */
	public RedisConnection connection() {
		return this.redis.connection();
	}

	/**
	 * Deletes a record.
	 * @param key its key
	 */
	public void forget(OperationKey key) {
		connection().keyCommands().del(name(key).getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * How much memory the server has in use, all things together.
	 * @return bytes
	 * @throws IOException if it does not answer
	 */
	public long usedMemory() throws IOException {
		return RedisTalk.number(server(), "INFO memory", "^used_memory:");
	}

	@Override
	public void close() {
		this.store.close();
		this.redis.close();
	}

}
