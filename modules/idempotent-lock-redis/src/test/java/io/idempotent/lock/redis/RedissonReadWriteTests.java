package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisMonitor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.client.codec.StringCodec;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Readers and writers in Redis, fair and not, and beside Redisson's own locks.
 */
@Timeout(60)
class RedissonReadWriteTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** Of what comes in the end. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static EmbeddedRedis server;

	@AutoClose
	private static TestRedisson clients;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final String name = "rw:" + System.nanoTime();

	private final LockEngine engine = clients.node();

	private final LockEngine other = clients.node();

	private final RedissonClient client = clients.client(this.engine);

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		clients = TestRedisson.of(server);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		clients.close(this.engine);
		clients.close(this.other);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void readersExcludeRedissonsOwnLock(boolean fair) throws Exception {
		RLock lock = fair ? this.client.getFairLock(this.name) : this.client.getLock(this.name);
		LockGrant one = now(this.engine, read(fair));
		LockGrant two = now(this.other, read(fair));
		assertThat(lock.tryLock()).isFalse();
		assertThat(lock.isLocked()).isTrue();
		one.release(Duration.ZERO);
		assertThat(lock.tryLock()).isFalse();
		two.release(Duration.ZERO);
		assertThat(lock.tryLock()).isTrue();
		assertThat(this.other.acquire(read(fair), Duration.ZERO)).isNull();
		lock.unlock();
		now(this.other, read(fair)).release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theLastReaderWakesRedissonsOwnLock(boolean fair) throws Exception {
		RLock lock = this.client.getLock(this.name);
		LockGrant reader = now(this.engine, read(fair));
		// Shorter than the lease, at whose end it would ask again.
		Future<Boolean> waiting = this.threads.submit(() -> lock.tryLock(20, TimeUnit.SECONDS));
		await().until(() -> this.client.getTopic("redisson_lock__channel:{" + this.name + "}").countSubscribers() == 1);
		reader.release(Duration.ZERO);
		assertThat(waiting.get()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aReaderCostsOneCommandEachTime(boolean fair) throws Exception {
		LockGrant first = now(this.engine, read(fair));
		first.renew(LEASE);
		first.release(Duration.ZERO);
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			LockGrant reader = now(this.engine, read(fair));
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			reader.renew(LEASE);
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			reader.release(Duration.ZERO);
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noReaderOvertakesAWriterThatWaits(boolean fair) throws Exception {
		LockGrant reader = now(this.engine, read(fair));
		Future<@Nullable LockGrant> writer = waiting(this.other, write(fair));
		awaitMarks(fair ? "timeout" : "waiting_writers", 1);
		assertThat(this.engine.acquire(read(fair), Duration.ZERO)).isNull();
		reader.release(Duration.ZERO);
		requireNonNull(writer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aWaitingReaderGetsTheTurnAfterAWriter(boolean fair) throws Exception {
		LockGrant first = now(this.engine, write(fair));
		Future<@Nullable LockGrant> writer = waiting(this.other, write(fair));
		awaitMarks(fair ? "timeout" : "waiting_writers", 1);
		Future<@Nullable LockGrant> waiting = waiting(this.other, read(fair));
		awaitMarks("waiting_readers", 1);
		first.release(Duration.ZERO);
		LockGrant reader = requireNonNull(waiting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
		assertThat(writer.isDone()).isFalse();
		assertThat(this.engine.acquire(read(fair), Duration.ZERO)).as("a reader that did not wait").isNull();
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.HELD);
		reader.release(Duration.ZERO);
		requireNonNull(writer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void readersAreWokenWhenTheWriterGivesUp(boolean fair) throws Exception {
		LockGrant reader = now(this.engine, read(fair));
		AllOfALock.assertWoken(() -> {
			Future<@Nullable LockGrant> writer = waiting(this.other, write(fair));
			awaitMarks(fair ? "timeout" : "waiting_writers", 1);
			Future<@Nullable LockGrant> waiting = AllOfALock.waitFor(this.engine, read(fair));
			writer.cancel(true);
			return waiting;
		});
		reader.release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aWriterThatDiedIsForgotten(boolean fair) throws Exception {
		String key = fair ? "timeout" : "waiting_writers";
		mark(key, "dead:-1", LEASE);
		assertThat(this.engine.acquire(read(fair), Duration.ZERO)).isNull();
		mark(key, "dead:-1", Duration.ofSeconds(1));
		requireNonNull(this.engine.acquire(read(fair), PATIENCE)).release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aReaderThatDiedKeepsItsTurnForASecond(boolean fair) throws Exception {
		LockGrant writer = now(this.engine, write(fair));
		mark("waiting_readers", "dead:-1", LEASE);
		writer.release(Duration.ZERO);
		assertThat(this.engine.acquire(write(fair), Duration.ZERO)).isNull();
		requireNonNull(this.engine.acquire(write(fair), PATIENCE)).release(Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void readersLeaveNothingBehindButTheTokenCounter(boolean fair) throws Exception {
		LockGrant writer = now(this.engine, write(fair));
		Future<@Nullable LockGrant> waiting = waiting(this.other, read(fair));
		awaitMarks("waiting_readers", 1);
		writer.release(Duration.ZERO);
		LockGrant reader = requireNonNull(waiting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
		assertThat(this.other.acquire(write(fair), Duration.ofMillis(50))).isNull();
		reader.release(Duration.ZERO);
		await().untilAsserted(() -> assertThat(
				this.client.getKeys().getKeys(KeysScanOptions.defaults().pattern("*" + this.name + "*")))
			.containsExactly("redisson_lock_token:{" + this.name + "}"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aReaderWhoseLockWasForcedOpenHasLostIt(boolean fair) throws Exception {
		LockGrant reader = now(this.engine, read(fair));
		assertThat(this.client.getLock(this.name).forceUnlock()).isTrue();
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.LOST);
		LockGrant next = now(this.other, read(fair));
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.LOST);
		next.release(Duration.ZERO);
		now(this.other, write(fair)).release(Duration.ZERO);
	}

	private LockRequest write(boolean fair) {
		return new LockRequest(this.name, LEASE, fair);
	}

	private LockRequest read(boolean fair) {
		return write(fair).withMode(LockMode.READ);
	}

	private static LockGrant now(LockEngine node, LockRequest request) throws InterruptedException {
		return requireNonNull(node.acquire(request, Duration.ZERO));
	}

	private Future<@Nullable LockGrant> waiting(LockEngine node, LockRequest request) {
		return this.threads.submit(() -> node.acquire(request, LockEngine.FOREVER));
	}

	private void mark(String key, String owner, Duration time) {
		this.client.getScoredSortedSet(key(key), StringCodec.INSTANCE)
			.add((double) (System.currentTimeMillis() + time.toMillis()), owner);
	}

	private void awaitMarks(String key, int count) {
		await().until(() -> this.client.getScoredSortedSet(key(key), StringCodec.INSTANCE).size() == count);
	}

	private String key(String key) {
		return "redisson_lock_" + key + ":{" + this.name + "}";
	}

}
