package io.idempotent.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.redis.StoreCommands.ScriptKeys;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * A cluster one server of which does not answer.
 */
class RedisCallsTests {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final OperationKey OPERATION = OperationKey.of("test", "Orders.create", List.of(), "order 1");

	private static final byte[] DEAD = { 1 };

	private static final byte[] ALIVE = { 2 };

	private final LuaScript script = LuaScript.COMPLETE;

	private final Map<String, Integer> asked = new ConcurrentHashMap<>();

	private volatile boolean dead = true;

	private final StoreCommands cluster = mock();

	private final RedisCalls calls = new RedisCalls(this.cluster, TIMEOUT, "");

	@BeforeEach
	void describeCluster() {
		given(this.cluster.serverOf(any())).will((call) -> (call.getArgument(0) == DEAD) ? "dead" : "alive");
		given(this.cluster.evalSha(any(), any(), any(byte[][].class))).will((call) -> {
			byte[] key = call.<ScriptKeys>getArgument(1).key();
			this.asked.merge((key == DEAD) ? "dead" : "alive", 1, Integer::sum);
			if (key == DEAD && this.dead) {
				TestRedis.sleep(TIMEOUT);
				throw new IllegalStateException("no reply");
			}
			return List.of();
		});
	}

	@Test
	void onlyTheFirstEndWaitsForAnUnavailableServer() {
		end(ALIVE);
		assertUnavailable(() -> end(DEAD));
		for (int i = 0; i < 5; i++) {
			end(ALIVE);
			assertUnavailable(() -> end(DEAD));
		}
		assertThat(this.asked).containsEntry("dead", 1).containsEntry("alive", 6);
	}

	@Test
	void afterTwoTimeoutsClaimsOnAServerFailAtOnce() throws Exception {
		assertUnavailable(() -> claim(DEAD));
		claim(ALIVE);
		assertUnavailable(() -> claim(DEAD));
		Thread asking = new Thread(() -> assertUnavailable(() -> claim(DEAD)));
		asking.start();
		while (this.asked.get("dead") < 3) {
			Thread.onSpinWait();
		}
		assertUnavailable(() -> claim(DEAD));
		asking.join();
		assertThat(this.asked).containsEntry("dead", 3);
	}

	@Test
	void anEndIsRecordedOnceTheServerRespondsAgain() {
		assertUnavailable(() -> end(DEAD));
		assertUnavailable(() -> end(DEAD));
		this.dead = false;
		claim(DEAD);
		end(DEAD);
		assertThat(this.asked).containsEntry("dead", 3);
	}

	@Test
	void aKeyThatIsSetAndNotFoundAgainMayBeSet() {
		given(this.cluster.setOrGet(any(), any(), anyLong())).willReturn(null)
			.willThrow(new CommandNotExecutedException(CommandNotExecutedException.Reason.NOT_CONNECTED, "gone", null));
		assertThatExceptionOfType(StoreUnavailableException.class)
			.isThrownBy(() -> this.calls.setOrGet("claim", OPERATION, ALIVE, new byte[] { 3 }, 1000))
			.matches(StoreUnavailableException::mayHaveTakenEffect);
	}

	private void end(byte[] key) {
		assertThat(this.calls.runUnlessSuspected(this.script, "completion", OPERATION, key)).isEmpty();
	}

	private void claim(byte[] key) {
		assertThat(this.calls.run(this.script, "claim", OPERATION, key)).isEmpty();
	}

	private static void assertUnavailable(Runnable call) {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(call::run);
	}

}
