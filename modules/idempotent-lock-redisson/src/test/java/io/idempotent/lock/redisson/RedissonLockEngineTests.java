package io.idempotent.lock.redisson;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.test.contract.LockEngineContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedissonLockEngineTests extends LockEngineContract {

	private static EmbeddedRedis server;

	private static TestRedisson clients;

	@BeforeAll
	static void startServer() {
		server = EmbeddedRedis.start();
		clients = TestRedisson.at(server.host(), server.port());
	}

	@AfterAll
	static void stopServer() {
		clients.close();
		server.close();
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
