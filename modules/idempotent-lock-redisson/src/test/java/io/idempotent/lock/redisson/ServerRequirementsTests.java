package io.idempotent.lock.redisson;

import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerRequirementsTests {

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/lock-engines.md");

	@Test
	void aServerWithEverythingLacksNothing() {
		try (EmbeddedRedis server = EmbeddedRedis.start();
				TestRedisson clients = TestRedisson.at(server.host(), server.port())) {
			assertThat(engine(clients).unmetRequirements()).isEmpty();
		}
	}

	@Test
	void missingCommandsAreNamed() {
		try (EmbeddedRedis server = EmbeddedRedis.start("--rename-command", "LINDEX", "");
				TestRedisson clients = TestRedisson.at(server.host(), server.port())) {
			assertThat(engine(clients).unmetRequirements()).singleElement()
				.asString()
				.startsWith("The server (Redis 7.0.15) does not have LINDEX, which the lock engine 'redisson' needs");
		}
	}

	@Test
	@Tag("slow")
	void aNodeOfAClusterIsAsked() {
		try (RedisCluster cluster = RedisCluster.start(); TestRedisson clients = TestRedisson.of(cluster)) {
			assertThat(engine(clients).unmetRequirements()).isEmpty();
			assertThat(cluster.servers())
				.anyMatch((server) -> RedisTalk.ask(server, "INFO commandstats").contains("cmdstat_command|info"));
		}
	}

	@Test
	void aUserThatMayNotAskLacksNothing() {
		try (EmbeddedRedis server = EmbeddedRedis.start("--rename-command", "LINDEX", "")) {
			DOCUMENTED.without("+lindex").set(server);
			try (TestRedisson anyone = TestRedisson.at(server.host(), server.port());
					TestRedisson clients = anyone.asUser(RedisAcl.PASSWORD)) {
				assertThat(engine(clients).unmetRequirements()).isEmpty();
			}
			assertThat(RedisAcl.denied(server)).contains("command info", "command command|info");
		}
	}

	@Test
	void aServerThatIsAwayLacksNothing() {
		try (EmbeddedRedis server = EmbeddedRedis.start();
				TestRedisson clients = TestRedisson.at(server.host(), server.port())) {
			RedissonLockEngine engine = engine(clients);
			server.stop();
			assertThat(engine.unmetRequirements()).isEmpty();
		}
	}

	@Test
	void theCommandsAreThoseOfTheDocumentedUser() {
		Set<String> permitted = DOCUMENTED.permissions()
			.stream()
			.filter((permission) -> permission.startsWith("+"))
			.map((permission) -> permission.substring(1).replace("script|load", "script"))
			.collect(Collectors.toSet());
		permitted.removeAll(Set.of("ping", "unsubscribe"));
		assertThat(RedissonLockEngine.REQUIREMENTS.commands()).containsExactlyInAnyOrderElementsOf(permitted);
	}

	private static RedissonLockEngine engine(TestRedisson clients) {
		return (RedissonLockEngine) clients.node();
	}

}
