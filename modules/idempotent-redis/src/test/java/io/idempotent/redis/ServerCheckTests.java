package io.idempotent.redis;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerCheckTests {

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/redis-store.md");

	@Test
	void aServerWithEverythingLacksNothing() {
		try (TestRedis redis = TestRedis.start()) {
			assertThat(redis.store().unmetRequirements()).isEmpty();
		}
	}

	@Test
	void missingCommandsAreNamed() {
		try (TestRedis redis = TestRedis.start("--rename-command", "SETRANGE", "", "--rename-command", "PUBLISH",
				"other")) {
			assertThat(redis.store().unmetRequirements()).singleElement()
				.asString()
				.startsWith("The server (Redis 7.0.15) does not have SETRANGE, PUBLISH, which the store");
		}
	}

	@Test
	void aUserThatMayNotAskLacksNothing() {
		try (EmbeddedRedis server = EmbeddedRedis.start("--rename-command", "SETRANGE", "")) {
			DOCUMENTED.without("+setrange").set(server);
			try (TestStore client = TestStore.ofUser(server, RedisAcl.PASSWORD)) {
				assertThat(client.store().unmetRequirements()).isEmpty();
			}
			assertThat(RedisAcl.denied(server)).containsExactlyInAnyOrder("command info", "command command|info");
		}
	}

	@Test
	void aServerThatIsAwayLacksNothing() {
		try (TestRedis redis = TestRedis.start()) {
			redis.server().stop();
			assertThat(redis.store().unmetRequirements()).isEmpty();
		}
	}

	/** Without those that only operators need, or that only save processor time. */
	@Test
	void theCommandsAreThoseOfTheDocumentedUser() {
		Stream<String> permitted = DOCUMENTED.permissions()
			.stream()
			.filter((permission) -> permission.startsWith("+"))
			.map((permission) -> permission.substring(1));
		Set<String> others = Set.of("ping", "unsubscribe", "zadd", "zremrangebyrank", "zrevrange", "zrem", "scan",
				"rename", "getrange");
		assertThat(permitted.filter((command) -> !others.contains(command)))
			.containsExactlyInAnyOrderElementsOf(ServerCheck.REQUIREMENTS.commands());
		assertThat(ServerCheck.REQUIREMENTS.commands())
			.allMatch((command) -> command.equals(command.toLowerCase(Locale.ROOT)));
	}

}
