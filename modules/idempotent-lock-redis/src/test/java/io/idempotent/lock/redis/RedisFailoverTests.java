package io.idempotent.lock.redis;

/**
 * The same without Redisson.
 */
class RedisFailoverTests extends RedissonFailoverTests {

	@Override
	TestRedisson clients(TestRedisson servers) {
		return super.clients(servers).withoutRedisson();
	}

}
