package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.contract.store.IdempotencyStoreContract;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.IdempotencyStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract on a server that refuses {@code SET} with both {@code NX} and {@code GET},
 * as versions before 7 do. The refusal is simulated: the build has no such server.
 */
@Tag("slow")
class OldRedisIdempotencyStoreTests extends IdempotencyStoreContract {

	private static EmbeddedRedis server;

	private static LettuceConnectionFactory connections;

	private static RedisIdempotencyStore store;

	private static OldServer commands;

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(server.host(), server.port()));
		connections.start();
		commands = new OldServer(new LettuceCommands(connections, TestStore.PATIENCE));
		store = new RedisIdempotencyStore(connections, TestStore.PREFIX,
				new RedisCalls(commands, TestStore.PATIENCE, ""));
	}

	@AfterAll
	static void theServerWasAskedOnce() {
		store.close();
		connections.destroy();
		server.close();
		assertThat(commands.refusals).hasValueBetween(1, 20);
	}

	@Override
	protected IdempotencyStore store() {
		return store;
	}

	@Override
	protected void pass(Duration time) {
		TestRedis.sleep(time);
	}

	private record OldServer(StoreCommands commands, AtomicInteger refusals) implements StoreCommands {

		OldServer(StoreCommands commands) {
			this(commands, new AtomicInteger());
		}

		@Override
		public boolean setIfAbsent(byte[] key, byte[] value, long timeToLiveInMillis) {
			return this.commands.setIfAbsent(key, value, timeToLiveInMillis);
		}

		@Override
		public byte @Nullable [] setOrGet(byte[] key, byte[] value, long timeToLiveInMillis) {
			this.refusals.incrementAndGet();
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.REFUSED, "ERR syntax error", null);
		}

		@Override
		public @Nullable List<Object> evalSha(String sha1, byte[] key, byte[]... arguments) {
			return this.commands.evalSha(sha1, key, arguments);
		}

		@Override
		public @Nullable List<Object> eval(byte[] script, byte[] key, byte[]... arguments) {
			return this.commands.eval(script, key, arguments);
		}

		@Override
		public @Nullable KeyPage scan(@Nullable Object position, byte[] pattern) {
			return this.commands.scan(position, pattern);
		}

		@Override
		public void close() {
			this.commands.close();
		}

	}

}
