package io.idempotent.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** The scripts alone: what no engine can bring about on the server of the build. */
class LockScriptsTests {

	private static final long AHEAD = 900_000_000_000_001L;

	private static final String TOKEN = "redisson_lock_token:{a}";

	@AutoClose
	private static final EmbeddedRedis server = EmbeddedRedis.start();

	@AutoClose("destroy")
	private final LettuceConnectionFactory factory = TestLettuce.factory((config) -> {
		return config.useSingleServer().setAddress("redis://" + server.host() + ":" + server.port());
	});

	@Test
	void tokensGrowOnAServerThatRefusesSetWithGet() {
		String refused = LockScripts.TAKE.replace(", 'get')", ", 'none')");
		assertThat(refused).isNotEqualTo(LockScripts.TAKE);
		assertTokensGrow(refused);
	}

	@Test
	void tokensGrowOnAServerThatKnowsSetWithGet() {
		assertTokensGrow(LockScripts.TAKE);
	}

	private void assertTokensGrow(String script) {
		try (RedisConnection redis = this.factory.getConnection()) {
			redis.keyCommands().del(bytes("a"), bytes(TOKEN));
			long first = take(redis, script);
			assertThat(first).isPositive().isLessThan(AHEAD);
			assertThat(take(redis, script)).as("taken, for a lease of 30 s").isBetween(-30_002L, -20_000L);
			redis.keyCommands().del(bytes("a"));
			assertThat(take(redis, script)).isGreaterThan(first);
			redis.keyCommands().del(bytes("a"));
			redis.stringCommands().set(bytes(TOKEN), bytes(Long.toString(AHEAD)));
			assertThat(take(redis, script)).isEqualTo(AHEAD + 1);
			assertThat(redis.stringCommands().get(bytes(TOKEN))).asString().isEqualTo(Long.toString(AHEAD + 1));
			assertThat(redis.keyCommands().ttl(bytes(TOKEN))).isPositive();
		}
	}

	private static long take(RedisConnection redis, String script) {
		byte[][] keysAndArguments = Stream
			.of("a", TOKEN, "redisson_lock_waiting_writers:{a}", "owner", "30000", "0", "0")
			.map(LockScriptsTests::bytes)
			.toArray(byte[][]::new);
		return redis.scriptingCommands().<Long>eval(bytes(script), ReturnType.INTEGER, 3, keysAndArguments);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
