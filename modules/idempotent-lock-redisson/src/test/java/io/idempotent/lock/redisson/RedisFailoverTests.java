package io.idempotent.lock.redisson;

/**
 * The same without Redisson.
 */
class RedisFailoverTests extends RedissonFailoverTests {

	@Override
	TestRedisson clients(TestRedisson servers) {
		return super.clients(servers).withoutRedisson();
	}

}
