package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract without Redisson, on one server.
 */
class RedisLockEngineTests extends RedissonLockEngineContract {

	@AutoClose
	private static TestRedisson clients;

	@BeforeAll
	static void start() {
		clients = TestRedisson.of(EmbeddedRedis.start()).withoutRedisson();
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}
