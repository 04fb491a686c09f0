package io.idempotent.lock.redis;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole contract as a user that may do what {@code docs/reference/lock-engines.md}
 * lets it, and never asks for more.
 */
@Tag("slow")
class RedissonAclLockEngineTests extends RedissonLockEngineContract {

	private static EmbeddedRedis server;

	private static TestRedisson clients;

	@BeforeAll
	static void startServer() {
		server = EmbeddedRedis.start();
		RedisAcl.of("reference/lock-engines.md").set(server);
		clients = TestRedisson.at(server.host(), server.port()).asUser(RedisAcl.PASSWORD);
	}

	@AfterAll
	static void nothingIsDeniedAndNothingIsOutsideThePrefix() {
		clients.close();
		try (EmbeddedRedis closing = server) {
			assertThat(RedisAcl.denied(closing)).as("Redisson's question whether this is a Cluster")
				.containsExactly("command eval");
			assertThat(RedisAcl.keys(closing)).isNotEmpty()
				.allMatch((key) -> key.replaceFirst("^redisson_lock_(token|queue|timeout):\\{", "")
					.startsWith("shop:lock:"));
		}
	}

	@Override
	TestRedisson clients() {
		return clients;
	}

}
