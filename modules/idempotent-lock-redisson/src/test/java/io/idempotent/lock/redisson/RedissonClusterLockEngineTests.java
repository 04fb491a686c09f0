package io.idempotent.lock.redisson;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.testing.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedissonClusterLockEngineTests extends LockEngineContract {

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
	protected boolean takesTurns() {
		return true;
	}

	@Override
	protected LockEngine node() {
		return clients.node();
	}

	@Override
	protected void close(LockEngine engine) {
		clients.close(engine);
	}

}
