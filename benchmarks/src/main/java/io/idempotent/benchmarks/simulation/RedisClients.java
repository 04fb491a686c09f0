package io.idempotent.benchmarks.simulation;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.redis.RedisIdempotencyStore;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * As many stores as threads, each with a connection of its own: a master of a hundred
 * nodes seldom finds two commands in one connection, which would cost it less.
 */
final class RedisClients implements AutoCloseable {

	private final List<LettuceConnectionFactory> connections;

	private final List<RedisIdempotencyStore> stores;

	private final List<Records> records;

	RedisClients(RedisServer server) {
		this.connections = Stream.generate(() -> connect(server)).limit(Calibration.THREADS).toList();
		this.stores = this.connections.stream()
			.map((each) -> new RedisIdempotencyStore(each, RedisStore.PREFIX, Duration.ofSeconds(10)))
			.toList();
		this.records = this.stores.stream().map(Records::new).toList();
	}

	private static LettuceConnectionFactory connect(RedisServer server) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(server.server().host(), server.server().port()));
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	Records of(int number) {
		return this.records.get(number % this.records.size());
	}

	@Override
	public void close() {
		this.stores.forEach(RedisIdempotencyStore::close);
		this.connections.forEach(LettuceConnectionFactory::destroy);
	}

}
