package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;

/**
 * The same without Redisson.
 */
class RedisSharedEntryTests extends RedissonSharedEntryTests {

	@AutoClose
	private static final TestRedisson clients = TestRedisson.of(EmbeddedRedis.start()).withoutRedisson();

	@Override
	TestRedisson clients() {
		return clients;
	}

}
