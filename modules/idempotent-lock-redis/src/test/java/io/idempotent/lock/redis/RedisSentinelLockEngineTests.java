package io.idempotent.lock.redis;

import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisSentinelLockEngineTests extends RedissonLockEngineContract {

	@AutoClose
	private static TestRedisson clients;

	@BeforeAll
	static void start() {
		clients = TestRedisson.of(RedisSentinelSet.start()).withoutRedisson();
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}
