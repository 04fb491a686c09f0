package io.idempotent.lock.redisson;

import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedissonSentinelLockEngineTests extends RedissonLockEngineContract {

	private static RedisSentinelSet servers;

	private static TestRedisson clients;

	@BeforeAll
	static void startServers() {
		servers = RedisSentinelSet.start();
		clients = TestRedisson.of(servers);
	}

	@AfterAll
	static void stopServers() {
		clients.close();
		servers.close();
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}
