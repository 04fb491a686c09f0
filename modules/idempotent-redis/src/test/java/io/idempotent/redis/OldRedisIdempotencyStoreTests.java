package io.idempotent.redis;

import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.IdempotencyStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * The contract on a server that refuses {@code SET} with both {@code NX} and {@code GET},
 * as versions before 7 do. The refusal is simulated: the build has no such server.
 */
@Tag("slow")
class OldRedisIdempotencyStoreTests extends RedisStoreContract {

	private static EmbeddedRedis server;

	private static LettuceConnectionFactory connections;

	private static RedisIdempotencyStore store;

	private static final AtomicInteger REFUSALS = new AtomicInteger();

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(server.host(), server.port()));
		connections.start();
		StoreCommands commands = mock(StoreCommands.class,
				delegatesTo(new LettuceCommands(connections, TestStore.PATIENCE)));
		willAnswer((call) -> {
			REFUSALS.incrementAndGet();
			throw new CommandNotExecutedException(CommandNotExecutedException.Reason.REFUSED, "ERR syntax error", null);
		}).given(commands).setOrGet(any(), any(), anyLong());
		store = new RedisIdempotencyStore(connections, TestStore.PREFIX,
				new RedisCalls(commands, TestStore.PATIENCE, ""));
	}

	@AfterAll
	static void theServerWasAskedOnce() {
		store.close();
		connections.destroy();
		server.close();
		assertThat(REFUSALS).hasValueBetween(1, 20);
	}

	@Override
	protected IdempotencyStore store() {
		return store;
	}

}
