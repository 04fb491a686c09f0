package io.idempotent.benchmarks.server;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Redis, and the one Lettuce connection over which everybody talks to it who does not
 * bring a client of his own.
 */
public final class RedisServer implements AutoCloseable {

	private final EmbeddedRedis server;

	private final LettuceConnectionFactory connections;

	private final RedisConnection connection;

	private RedisServer(EmbeddedRedis server, LettuceConnectionFactory connections) {
		this.server = server;
		this.connections = connections;
		this.connection = connections.getConnection();
	}

	/**
	 * Starts it.
	 * @return an empty Redis
	 */
	public static RedisServer start() {
		EmbeddedRedis server = EmbeddedRedis.start();
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(server.host(), server.port()));
		connections.afterPropertiesSet();
		connections.start();
		return new RedisServer(server, connections);
	}

	/**
	 * The server itself.
	 * @return the server
	 */
	public EmbeddedRedis server() {
		return this.server;
	}

	/**
	 * The shared connection.
	 * @return the connection
	 */
	public RedisConnection connection() {
		return this.connection;
	}

	/**
	 * Whose connection is shared.
	 * @return the factory
	 */
	public LettuceConnectionFactory connections() {
		return this.connections;
	}

	/**
	 * The shared connection without anything around it.
	 * @return commands that wait for nothing
	 */
	@SuppressWarnings("unchecked")
	public RedisClusterAsyncCommands<byte[], byte[]> commands() {
		return (RedisClusterAsyncCommands<byte[], byte[]>) this.connection.getNativeConnection();
	}

	/**
	 * Waits for a reply, as the store does.
	 * @param <T> what is replied
	 * @param reply what is to come
	 * @return the reply
	 * @throws Exception if there is none in time
	 */
	public static <T> T reply(RedisFuture<T> reply) throws Exception {
		return reply.get(2, TimeUnit.SECONDS);
	}

	/**
	 * A key or value of plain text.
	 * @param text the text
	 * @return its bytes
	 */
	public static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Where clients of their own connect to.
	 * @return host and port
	 */
	public String address() {
		return "redis://" + this.server.host() + ":" + this.server.port();
	}

	/**
	 * Forgets all keys.
	 */
	public void clear() {
		this.connection.serverCommands().flushAll();
	}

	/**
	 * Counts what the server has run, what scripts called included.
	 * @return calls by command
	 */
	public Map<String, Long> calls() {
		Properties statistics = this.connection.serverCommands().info("commandstats");
		Map<String, Long> calls = new HashMap<>();
		statistics.forEach((command, figures) -> calls.put(command.toString().replace("cmdstat_", ""),
				Long.valueOf(figures.toString().replaceAll("^calls=(\\d+),.*", "$1"))));
		calls.remove("info");
		return calls;
	}

	/**
	 * What has passed through the server's connections.
	 * @param direction {@code input} or {@code output}
	 * @return bytes
	 */
	public double transferred(String direction) {
		return Double.parseDouble(
				this.connection.serverCommands().info("stats").getProperty("total_net_" + direction + "_bytes"));
	}

	/**
	 * The processor time that the server has used.
	 * @return microseconds
	 */
	public double processorMicros() {
		Properties cpu = this.connection.serverCommands().info("cpu");
		return 1e6 * (Double.parseDouble(cpu.getProperty("used_cpu_user"))
				+ Double.parseDouble(cpu.getProperty("used_cpu_sys")));
	}

	@Override
	public void close() {
		this.connection.close();
		this.connections.destroy();
		this.server.close();
	}

}
