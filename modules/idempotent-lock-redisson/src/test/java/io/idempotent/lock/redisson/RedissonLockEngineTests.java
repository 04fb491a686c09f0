package io.idempotent.lock.redisson;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.testing.RedisUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The contract on one server: an embedded one, or the one that is to be certified.
 */
class RedissonLockEngineTests extends LockEngineContract {

	@RegisterExtension
	static final RedisUnderTest server = new RedisUnderTest("The contract of lock engines");

	private static TestRedisson clients;

	@BeforeAll
	static void prepareClients() {
		clients = TestRedisson.of(server);
	}

	@AfterAll
	static void closeClients() {
		clients.close();
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
