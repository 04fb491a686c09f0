package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;

/**
 * The contract without Redisson, on one server.
 */
class RedisLockEngineTests extends RedissonLockEngineContract {

	@AutoClose
	private static final TestRedisson clients = TestRedisson.of(EmbeddedRedis.start()).withoutRedisson();

	@Override
	TestRedisson clients() {
		return clients;
	}

}
