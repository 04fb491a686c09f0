package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisTalk;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RLock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The engine without Redisson beside the one with it, and beside Redisson's own locks.
 */
@Timeout(120)
class RedisInteropTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static EmbeddedRedis server;

	@AutoClose
	private static TestRedisson clients;

	private static LockEngine redisson;

	private final String name = "interop:" + System.nanoTime();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final LettuceConnectionFactory factory = clients.factory();

	private final LockEngine redis = new RedisLockEngine(this.factory, "shop@host-1:4711");

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
		clients = TestRedisson.of(server);
		redisson = clients.node();
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void bothEnginesExcludeAndWakeEachOther(boolean fair) throws Exception {
		assertExcludesAndWakes(redisson, this.redis, fair);
		assertExcludesAndWakes(this.redis, redisson, fair);
	}

	@Test
	@Tag("slow")
	void bothEnginesExcludeAndWakeEachOtherInACluster() throws Exception {
		try (TestRedisson cluster = TestRedisson.of(RedisCluster.start())) {
			LockEngine one = cluster.node();
			LockEngine other = new RedisLockEngine(cluster.factory(), "");
			for (boolean fair : new boolean[] { false, true }) {
				assertExcludesAndWakes(one, other, fair);
				assertExcludesAndWakes(other, one, fair);
			}
		}
	}

	private void assertExcludesAndWakes(LockEngine holder, LockEngine next, boolean fair) throws Exception {
		LockRequest request = new LockRequest(this.name, LEASE, fair);
		AtomicLong token = new AtomicLong();
		LockGrant woken = AllOfALock.assertWoken(() -> {
			LockGrant grant = requireNonNull(holder.acquire(request, Duration.ZERO));
			token.set(grant.token());
			assertThat(next.acquire(request, Duration.ZERO)).isNull();
			Future<@Nullable LockGrant> waiting = AllOfALock.waitFor(next, request);
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			return waiting;
		});
		assertThat(woken.token()).isGreaterThan(token.get());
	}

	@Test
	void bothEnginesAdmitReadersTogether() throws Exception {
		LockRequest read = new LockRequest(this.name, LEASE, false).withMode(LockMode.READ);
		LockGrant reader = requireNonNull(redisson.acquire(read, Duration.ZERO));
		LockGrant second = requireNonNull(this.redis.acquire(read, Duration.ZERO));
		assertThat(this.redis.acquire(read.withMode(LockMode.WRITE), Duration.ZERO)).isNull();
		assertThat(redisson.inspect(this.name).holders()).hasSize(2)
			.anySatisfy((holder) -> assertThat(holder.node()).isEqualTo("shop@host-1:4711"));
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void redissonsOwnLockIsExcludedAndWoken() throws Exception {
		RLock lock = clients.client(redisson).getLock(this.name);
		LockGrant grant = requireNonNull(this.redis.acquire(new LockRequest(this.name, LEASE, false), Duration.ZERO));
		assertThat(lock.tryLock()).isFalse();
		// Shorter than the lease, at whose end it would ask again.
		Future<Boolean> waiting = this.threads.submit(() -> lock.tryLock(30, TimeUnit.SECONDS));
		await().until(() -> RedisTalk.ask(server, "PUBSUB CHANNELS *" + this.name + "*").contains(this.name));
		grant.release(Duration.ZERO);
		assertThat(waiting.get()).isTrue();
	}

	@Test
	void redissonsOwnLockExcludesAndWakes() throws Exception {
		RLock lock = clients.client(redisson).getLock(this.name);
		LockRequest request = new LockRequest(this.name, LEASE, false);
		AllOfALock.assertWoken(() -> {
			lock.lock();
			assertThat(this.redis.acquire(request, Duration.ZERO)).isNull();
			Future<@Nullable LockGrant> waiting = AllOfALock.waitFor(this.redis, request);
			lock.unlock();
			return waiting;
		});
	}

	@Test
	void eachCallIsOneCommand() throws Exception {
		LockRequest request = new LockRequest(this.name, LEASE, false);
		LockGrant first = requireNonNull(this.redis.acquire(request, Duration.ZERO));
		first.renew(LEASE);
		first.release(Duration.ZERO);
		try (RedisMonitor monitor = RedisMonitor.of(server)) {
			LockGrant grant = requireNonNull(this.redis.acquire(request, Duration.ofSeconds(1)));
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			assertThat(this.redis.acquire(request, Duration.ZERO)).isNull();
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			grant.renew(LEASE);
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
			grant.release(Duration.ZERO);
			assertThat(monitor.commands()).containsExactly(Map.entry("evalsha", 1));
		}
	}

	@Test
	void aLockThatIsFreeNeedsNoConnectionBesideThatOfTheApplication() throws Exception {
		this.factory.getConnection().close();
		String before = addresses();
		requireNonNull(this.redis.acquire(new LockRequest(this.name, LEASE, false), Duration.ZERO))
			.release(Duration.ZERO);
		assertThat(addresses()).isEqualTo(before);
	}

	@Test
	void aConnectionThatTheApplicationHasReplacedIsReplaced() throws Exception {
		for (boolean shared : List.of(true, false)) {
			this.factory.setShareNativeConnection(shared);
			requireNonNull(this.redis.acquire(new LockRequest(this.name, LEASE, false), Duration.ZERO))
				.release(Duration.ZERO);
			this.factory.stop();
			this.factory.start();
		}
	}

	@Test
	void aWaiterAsksWhereSpringDataHasNoSubscriptions() throws Exception {
		LettuceConnectionFactory masterAndReplicas = TestLettuce.masterAndReplicas(server.port());
		LockEngine polling = new RedisLockEngine(masterAndReplicas, "");
		LockRequest request = new LockRequest(this.name, LEASE, false);
		LockGrant grant = requireNonNull(this.redis.acquire(request, Duration.ZERO));
		Future<@Nullable LockGrant> waiting = this.threads.submit(() -> polling.acquire(request, LEASE));
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> waiting.get(1, TimeUnit.SECONDS));
		grant.release(Duration.ZERO);
		requireNonNull(waiting.get(LEASE.toMillis(), TimeUnit.MILLISECONDS)).release(Duration.ZERO);
		masterAndReplicas.destroy();
		polling.close();
	}

	private static String addresses() {
		return RedisTalk.ask(server, "CLIENT LIST TYPE normal")
			.lines()
			.filter((line) -> line.contains("lib-name=Lettuce"))
			.map((line) -> line.replaceAll(".* addr=(\\S+).*", "$1"))
			.sorted()
			.toList()
			.toString();
	}

}
