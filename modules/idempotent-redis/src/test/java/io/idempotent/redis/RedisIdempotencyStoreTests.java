package io.idempotent.redis;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.testing.RedisUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The contract on one server: an embedded one, or the one that is to be certified.
 */
class RedisIdempotencyStoreTests extends RedisStoreContract {

	@RegisterExtension
	static final RedisUnderTest server = new RedisUnderTest("The contract of stores");

	private static TestStore client;

	@BeforeAll
	static void connect() {
		client = TestStore.of(server);
	}

	@AfterAll
	static void disconnect() {
		client.close();
	}

	@Override
	protected IdempotencyStore store() {
		return client.store();
	}

}
