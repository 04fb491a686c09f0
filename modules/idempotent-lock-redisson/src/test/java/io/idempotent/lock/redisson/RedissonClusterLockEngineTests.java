package io.idempotent.lock.redisson;

import io.idempotent.testing.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedissonClusterLockEngineTests extends RedissonLockEngineContract {

	private static RedisCluster servers;

	private static TestRedisson clients;

	@BeforeAll
	static void startServers() {
		servers = RedisCluster.start();
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
