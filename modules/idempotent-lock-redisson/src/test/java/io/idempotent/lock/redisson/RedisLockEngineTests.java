package io.idempotent.lock.redisson;

import io.idempotent.testing.RedisUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The contract without Redisson, on one server.
 */
class RedisLockEngineTests extends RedissonLockEngineContract {

	@RegisterExtension
	static final RedisUnderTest server = new RedisUnderTest("The contract of lock engines, without Redisson");

	private static TestRedisson clients;

	@BeforeAll
	static void prepareClients() {
		clients = TestRedisson.of(server).withoutRedisson();
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
