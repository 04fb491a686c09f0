package io.idempotent.lock.redis;

import io.idempotent.testing.RedisUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The contract on one server: an embedded one, or the one that is to be certified.
 */
class RedissonLockEngineTests extends RedissonLockEngineContract {

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
	TestRedisson clients() {
		return clients;
	}

}
