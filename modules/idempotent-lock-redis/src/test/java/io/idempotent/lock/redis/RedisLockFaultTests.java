package io.idempotent.lock.redis;

/**
 * The same without Redisson: Lettuce repeats what was not answered when a connection
 * broke.
 */
class RedisLockFaultTests extends RedissonLockFaultTests {

	@Override
	TestRedisson clients(String host, int port) {
		return super.clients(host, port).withoutRedisson();
	}

}
