package io.idempotent.redis;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole contract as a user that may do what {@code docs/reference/redis-store.md}
 * lets it, and never asks for more.
 */
@Tag("slow")
class RedisAclIdempotencyStoreTests extends RedisStoreContract {

	private static EmbeddedRedis server;

	private static TestStore client;

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		RedisAcl.of("reference/redis-store.md").set(server);
		client = TestStore.ofUser(server, RedisAcl.PASSWORD);
	}

	@AfterAll
	static void nothingWasDeniedAndNothingIsOutsideThePrefix() {
		client.close();
		try (EmbeddedRedis closing = server) {
			assertThat(RedisAcl.denied(closing)).isEmpty();
			assertThat(RedisAcl.keys(closing)).isNotEmpty().allMatch((key) -> key.startsWith("shop:idem:"));
		}
	}

	@Override
	protected IdempotencyStore store() {
		return client.store();
	}

}
