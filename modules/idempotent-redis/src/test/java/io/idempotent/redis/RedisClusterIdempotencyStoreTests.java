package io.idempotent.redis;

import java.time.Duration;

import io.idempotent.engine.IdempotencyStoreContract;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.testing.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

class RedisClusterIdempotencyStoreTests extends IdempotencyStoreContract {

	private static RedisCluster cluster;

	private static TestStore client;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start();
		client = new TestStore(new RedisClusterConfiguration(cluster.addresses()));
	}

	@AfterAll
	static void stop() {
		client.close();
		cluster.close();
	}

	@Override
	protected IdempotencyStore store() {
		return client.store();
	}

	@Override
	protected void pass(Duration time) {
		TestRedis.sleep(time);
	}

	@Test
	void aPolicyThatEvictsIsToldByAnyNode() {
		assertThat(client.store().evictingPolicy()).isEmpty();
		client.ask((connection) -> {
			connection.serverCommands().setConfig("maxmemory-policy", "volatile-lru");
			return true;
		});
		assertThat(client.store().evictingPolicy()).contains("volatile-lru");
	}

}
