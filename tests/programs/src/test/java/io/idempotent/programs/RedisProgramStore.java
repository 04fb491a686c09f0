package io.idempotent.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.IdempotencyStore;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A real Redis, and a client of each node. Its clock cannot be set.
 */
final class RedisProgramStore implements ProgramStore {

	private final EmbeddedRedis server = EmbeddedRedis.start();

	private final List<LettuceConnectionFactory> connections = new ArrayList<>();

	private final List<RedisIdempotencyStore> stores = new ArrayList<>();

	private final List<SwitchableStore> clients = new ArrayList<>();

	RedisProgramStore() {
		for (int i = 0; i < 2; i++) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration(this.server.host(), this.server.port()));
			factory.start();
			this.connections.add(factory);
			this.stores.add(new RedisIdempotencyStore(factory, "idem:", Duration.ofSeconds(5)));
			this.clients.add(new SwitchableStore(this.stores.get(i)));
		}
	}

	@Override
	public IdempotencyStore client(int node) {
		return this.clients.get(node).client();
	}

	@Override
	public void flush() {
		try (RedisConnection connection = this.connections.get(0).getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	@Override
	public void away(boolean now) {
		this.clients.forEach((client) -> client.away(now));
	}

	@Override
	public void pass(Duration time) {
		throw new UnsupportedOperationException("The clock of Redis cannot be set");
	}

	@Override
	public void close() {
		this.stores.forEach(RedisIdempotencyStore::close);
		this.connections.forEach(LettuceConnectionFactory::destroy);
		this.server.close();
	}

}
