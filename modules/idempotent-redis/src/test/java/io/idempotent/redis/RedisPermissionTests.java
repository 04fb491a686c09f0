package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;

import static io.idempotent.contract.store.StoreSubmission.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a user without a permission meets, and that the documented rule has none too many.
 */
@Tag("slow")
class RedisPermissionTests {

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/redis-store.md");

	@AutoClose
	private static EmbeddedRedis server;

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
	}

	@BeforeEach
	void grant() {
		DOCUMENTED.set(server);
	}

	static List<String> permissions() {
		return DOCUMENTED.permissions();
	}

	@ParameterizedTest
	@MethodSource("permissions")
	void eachPermissionIsNeeded(String permission) throws InterruptedException {
		DOCUMENTED.without(permission).set(server);
		try (TestStore client = TestStore.ofUser(server, RedisAcl.PASSWORD)) {
			AllOfAStore.use(client.store(), () -> !RedisAcl.denied(server).isEmpty());
		}
		catch (StoreUnavailableException ex) {
			assertThat(ex.getMessage()).containsAnyOf("NOPERM", "The user executing the script can't run this command");
		}
		await().untilAsserted(() -> assertThat(RedisAcl.denied(server)).anyMatch(RedisAcl.denialOf(permission)));
	}

	@Test
	void aStoreWithThePrefixOfAnotherApplicationIsRefused() {
		try (TestStore client = TestStore.ofUser(server, RedisAcl.PASSWORD, "crm:idem:")) {
			StoreSubmission submission = StoreSubmission.to(client.store());
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(submission::claim)
				.withMessageContaining("NOPERM");
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> submission.issued(RETENTION))
				.withMessageContaining("NOPERM");
		}
	}

	@Test
	void theUserHasNoAccessToAnotherApplication() {
		try (TestStore client = TestStore.ofUser(server, RedisAcl.PASSWORD)) {
			byte[] key = bytes("crm:idem:a");
			byte[] channel = bytes("crm:idem:wake");
			assertDenied(client, (redis) -> redis.stringCommands().get(key));
			assertDenied(client, (redis) -> redis.stringCommands().set(key, key));
			assertDenied(client, (redis) -> redis.keyCommands().del(key));
			assertDenied(client, (redis) -> redis.publish(channel, key));
			assertDenied(client, (redis) -> redis.keyCommands().keys(bytes("*")));
			assertDenied(client, (redis) -> {
				redis.serverCommands().flushAll();
				return true;
			});
		}
	}

	private static void assertDenied(TestStore client, Function<RedisConnection, Object> command) {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> client.ask(command))
			.havingRootCause()
			.withMessageStartingWith("NOPERM");
	}

	@Test
	void aRefusalNamesItsReasonAndAPermissionHelpsAtOnce() {
		DOCUMENTED.without("+evalsha").set(server);
		try (TestStore client = TestStore.ofUser(server, RedisAcl.PASSWORD)) {
			StoreSubmission submission = StoreSubmission.to(client.store()).ifIssued().issued(RETENTION);
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(submission::claim)
				.withMessageContaining("NOPERM this user has no permissions to run the 'evalsha' command")
				.withMessageContaining("permissions of its user");
			DOCUMENTED.set(server);
			submission.granted();
		}
	}

	@Test
	void aWrongPasswordIsReportedAsSuch() {
		try (TestStore client = TestStore.ofUser(server, "wrong")) {
			assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(client.store()).claim())
				.withMessageContaining("WRONGPASS")
				.withMessageContaining("spring.data.redis");
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
