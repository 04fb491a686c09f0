package io.idempotent.redis;

import java.util.Set;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;

@Tag("slow")
class RedisSentinelIdempotencyStoreTests extends RedisStoreContract {

	private static RedisSentinelSet servers;

	private static TestStore client;

	@BeforeAll
	static void start() {
		servers = RedisSentinelSet.start();
		client = new TestStore(
				new RedisSentinelConfiguration(RedisSentinelSet.MASTER_NAME, Set.copyOf(servers.sentinelAddresses())),
				TestStore.PATIENCE, TestStore.PATIENCE);
	}

	@AfterAll
	static void stop() {
		client.close();
		servers.close();
	}

	@Override
	protected IdempotencyStore store() {
		return client.store();
	}

}
