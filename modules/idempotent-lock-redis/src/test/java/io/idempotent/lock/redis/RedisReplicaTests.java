package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A static master, and its replica behind a network that fails.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class RedisReplicaTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final int THREADS = 16;

	private final EmbeddedRedis master = EmbeddedRedis.start("--repl-diskless-sync-delay", "0");

	private final FaultyProxy toMaster = new FaultyProxy(this.master.host(), this.master.port());

	private final FaultyProxy toReplica = new FaultyProxy(this.master.host(), this.master.port());

	private final EmbeddedRedis replica = EmbeddedRedis.start("--replicaof", "127.0.0.1 " + this.toReplica.port());

	private final LettuceConnectionFactory factory = TestLettuce.masterAndReplicas(this.toMaster.port());

	private final LockEngine engine = new RedisLockEngine(this.factory, "");

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	RedisReplicaTests() {
		await().until(() -> RedisTalk.ask(this.master, "INFO replication").contains("state=online"));
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.engine.close();
		this.factory.destroy();
		this.toMaster.close();
		this.toReplica.close();
		this.replica.close();
		this.master.close();
	}

	/** Each is refused for its own sake, since none waits for the time-outs of others. */
	@Test
	void manyGrantsThatAReplicaDoesNotReceiveHoldUpNeitherEachOtherNorARelease() throws Exception {
		LockGrant held = Objects.requireNonNull(take("held"));
		this.toReplica.freeze();
		List<Future<LockGrant>> refused = IntStream.range(0, THREADS)
			.mapToObj((i) -> this.threads.submit(() -> take("lock:" + i)))
			.toList();
		refused.forEach((each) -> assertThatExceptionOfType(ExecutionException.class).isThrownBy(each::get)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("None of 1 replicas has synced"));
		assertThat(secondsOfRefusals(10)).as("one of the longest every five seconds").isLessThan(8);
		assertThat(held.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		this.toReplica.thaw();
		await().atMost(Duration.ofSeconds(20))
			.ignoreExceptionsInstanceOf(LockUnavailableException.class)
			.until(() -> Objects.requireNonNull(take("held")).release(Duration.ZERO) == GrantState.HELD);
	}

	private double secondsOfRefusals(int count) {
		long start = System.nanoTime();
		for (int i = 0; i < count; i++) {
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> take("refused"));
		}
		return (System.nanoTime() - start) / 1e9;
	}

	@Test
	void aGrantThatHasWaitedForAConnectionIsNotSentAfterItsReplyTimedOut() throws Exception {
		LettuceTransport transport = new LettuceTransport(this.factory);
		assertThat(grant(transport)).succeedsWithin(LEASE);
		this.toMaster.partition();
		assertThat(grant(transport)).failsWithin(LEASE);
		this.toMaster.heal();
		await().atMost(LEASE)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(
					transport.texts("late", "return { redis.call('get', KEYS[1]) }", List.of("late")).join())
				.containsExactly("1"));
		transport.close();
	}

	private static CompletableFuture<Long> grant(LettuceTransport transport) {
		return transport.grant("late", "return redis.call('incr', KEYS[1])", List.of("late"));
	}

	private LockGrant take(String name) throws InterruptedException {
		return this.engine.acquire(new LockRequest(name, LEASE, false), Duration.ZERO);
	}

}
