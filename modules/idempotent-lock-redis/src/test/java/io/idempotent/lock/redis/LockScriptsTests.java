package io.idempotent.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The scripts alone: what no engine can bring about on the server of the build. */
class LockScriptsTests {

	private static final long AHEAD = 900_000_000_000_001L;

	private static final String TOKEN = "redisson_lock_token:{a}";

	@AutoClose
	private static EmbeddedRedis server;

	@AutoClose("destroy")
	private final LettuceConnectionFactory factory = TestLettuce.factory((config) -> {
		return config.useSingleServer().setAddress("redis://" + server.host() + ":" + server.port());
	});

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
	}

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

	@Test
	void aHandOffThatAFullServerRefusesLeavesTheLockWithItsOwner() {
		try (RedisConnection redis = this.factory.getConnection()) {
			redis.keyCommands().del(bytes("a"), bytes(TOKEN));
			take(redis, LockScripts.TAKE);
			redis.serverCommands().setConfig("maxmemory", "1");
			try {
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(
						() -> eval(redis, LockScripts.HAND_OFF, "a", TOKEN, "readers", "next", "30000", "owner"));
			}
			finally {
				redis.serverCommands().setConfig("maxmemory", "0");
			}
			assertThat(redis.hashCommands().hExists(bytes("a"), bytes("owner"))).isTrue();
		}
	}

	@Test
	void aTokenThatIsNoNumberIsReplaced() {
		try (RedisConnection redis = this.factory.getConnection()) {
			redis.keyCommands().del(bytes("a"));
			redis.stringCommands().set(bytes(TOKEN), bytes("none"));
			assertThat(take(redis, LockScripts.TAKE)).isPositive();
		}
	}

	private void assertTokensGrow(String script) {
		try (RedisConnection redis = this.factory.getConnection()) {
			redis.keyCommands().del(bytes("a"), bytes(TOKEN));
			long first = take(redis, script);
			assertThat(first).isPositive().isLessThan(AHEAD);
			assertThat(take(redis, script)).as("the same grant").isEqualTo(first);
			assertThat(take(redis, script, "other")).as("taken, for a lease of 30 s").isBetween(-30_002L, -20_000L);
			redis.keyCommands().del(bytes(TOKEN));
			assertThat(take(redis, script)).as("another one without the counter").isGreaterThan(first);
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
		return take(redis, script, "owner");
	}

	private static long take(RedisConnection redis, String script, String owner) {
		return eval(redis, script, "a", TOKEN, "redisson_lock_waiting_writers:{a}", owner, "30000", "0", "0");
	}

	/** Three keys, and the arguments. */
	private static long eval(RedisConnection redis, String script, String... keysAndArguments) {
		return redis.scriptingCommands()
			.<Long>eval(bytes(script), ReturnType.INTEGER, 3,
					Stream.of(keysAndArguments).map(LockScriptsTests::bytes).toArray(byte[][]::new));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
