package io.idempotent.lock.redisson;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole contract without Redisson, as the user of {@code lock-engines.md}.
 */
@Tag("slow")
class RedisAclLockEngineTests extends RedissonLockEngineContract {

	private static EmbeddedRedis server;

	private static TestRedisson clients;

	@BeforeAll
	static void startServer() {
		server = EmbeddedRedis.start();
		RedisAcl.of("reference/lock-engines.md").set(server);
		clients = TestRedisson.at(server.host(), server.port()).asUser(RedisAcl.PASSWORD).withoutRedisson();
	}

	@AfterAll
	static void nothingIsDenied() {
		clients.close();
		try (EmbeddedRedis closing = server) {
			assertThat(RedisAcl.denied(closing)).isEmpty();
		}
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}
