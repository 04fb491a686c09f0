package io.idempotent.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EmbeddedRedis}.
 */
class EmbeddedRedisTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@Test
	void restartKeepsThePortAndLosesTheData() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			int port = redis.port();
			assertThat(RedisConversation.say(port, "SET greeting hello")).containsExactly("+OK");
			redis.stop();
			redis.stop();
			assertThat(redis.isRunning()).isFalse();
			assertThat(RedisConversation.answers(port)).isFalse();
			redis.restart();
			assertThat(redis.port()).isEqualTo(port);
			assertThat(RedisConversation.say(port, "GET greeting")).containsExactly("$-1");
		}
	}

	@Test
	void closeFreesThePortAndRemovesTheDirectory() {
		EmbeddedRedis redis = EmbeddedRedis.start();
		Path directory = Path.of(RedisConversation.directory(redis.port()));
		assertThat(directory).exists();
		redis.close();
		redis.close();
		assertThat(Ports.isFree(redis.port())).isTrue();
		assertThat(directory).doesNotExist();
		assertThatIllegalStateException().isThrownBy(redis::restart).withMessageContaining("closed");
	}

	@Test
	void sentinelMonitorsItsMasterAndLeavesNothingBehind() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			EmbeddedRedis sentinel = EmbeddedRedis
				.startSentinel("sentinel monitor orders " + redis.host() + " " + redis.port() + " 1");
			assertThat(RedisConversation.say(sentinel.port(), "SENTINEL GET-MASTER-ADDR-BY-NAME orders"))
				.contains(String.valueOf(redis.port()));
			sentinel.restart();
			Path configuration = Path.of(told(sentinel, "config_file:"));
			assertThat(configuration).exists();
			sentinel.close();
			assertThat(configuration.getParent()).doesNotExist();
		}
	}

	@Test
	void serverThatDoesNotStartIsQuoted() {
		assertThatIllegalStateException().isThrownBy(() -> EmbeddedRedis.start("--no-such-setting", "1"))
			.withMessageContaining("Bad directive or wrong number of arguments");
	}

	@Test
	void takenPortIsReported() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			assertThatIllegalStateException().isThrownBy(() -> EmbeddedRedis.startOnPort(redis.port()))
				.withMessageContaining("on port " + redis.port())
				.withMessageContaining("Failed listening on port");
			assertThat(RedisConversation.answers(redis.port())).isTrue();
		}
	}

	@Test
	void serverDoesNotOutliveItsSupervisor() {
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			Path directory = Path.of(RedisConversation.directory(redis.port()));
			supervisorOf(redis).destroyForcibly();
			assertThat(Await.until(() -> Ports.isFree(redis.port()) && !Files.exists(directory), SOON)).isTrue();
			assertThat(redis.isRunning()).isFalse();
		}
	}

	@Test
	void waitSurvivesAnInterruptAndKeepsIt() {
		Thread.currentThread().interrupt();
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			assertThat(Thread.interrupted()).isTrue();
			assertThat(RedisConversation.answers(redis.port())).isTrue();
		}
	}

	private static ProcessHandle supervisorOf(EmbeddedRedis redis) {
		long server = Long.parseLong(told(redis, "process_id:"));
		return ProcessHandle.of(server).flatMap(ProcessHandle::parent).orElseThrow();
	}

	private static String told(EmbeddedRedis redis, String name) {
		return RedisConversation.say(redis.port(), "INFO server")
			.stream()
			.filter((line) -> line.startsWith(name))
			.map((line) -> line.substring(name.length()))
			.findFirst()
			.orElseThrow();
	}

}
