package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisSentinelSet;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A replica takes over while a lock is held. Each grant was heard of by the replica,
 * since Redisson waits for that.
 */
@Tag("slow")
@Timeout(180)
class RedissonFailoverTests {

	private static final String NAME = "stock:42";

	private final List<LockEvent> events = new CopyOnWriteArrayList<>();

	TestRedisson clients(TestRedisson servers) {
		return servers.impatient();
	}

	@Test
	void aLockSurvivesTheMasterThatASentinelReplaces() throws Exception {
		try (RedisSentinelSet set = RedisSentinelSet.start(); TestRedisson clients = clients(TestRedisson.of(set))) {
			failOver(clients, () -> {
				set.killMaster();
				set.awaitFailover();
			});
		}
	}

	@Test
	void aLockSurvivesTheMasterThatAClusterReplaces() throws Exception {
		try (RedisCluster cluster = RedisCluster.start(); TestRedisson clients = clients(TestRedisson.of(cluster))) {
			failOver(clients, () -> {
				cluster.killMasterOf(NAME);
				cluster.awaitFailoverOf(NAME);
			});
		}
	}

	@Test
	void aGrantThatNoReplicaReceivedIsRefusedAndGivenBack() throws Exception {
		try (RedisSentinelSet set = RedisSentinelSet.start();
				TestRedisson clients = clients(TestRedisson.of(set));
				EngineDistributedLocks locks = locks(clients)) {
			DistributedLock lock = locks.get(NAME);
			lock.lock();
			lock.unlock();
			set.replica().stop();
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(lock::tryLock)
				.withMessageContaining("synced");
			assertThat(lock.tryLock(20, TimeUnit.SECONDS)).as("once it is known that there is no replica").isTrue();
			lock.unlock();
		}
	}

	@Test
	void waitsForAReplicaToReceiveAGrantAndNothingElse() throws Exception {
		try (RedisSentinelSet set = RedisSentinelSet.start(); TestRedisson clients = clients(TestRedisson.of(set))) {
			LockEngine engine = clients.node();
			LockRequest request = new LockRequest(NAME, Duration.ofSeconds(20), false);
			take(engine, request).release(Duration.ZERO);
			clients.client(engine).getScript().scriptFlush();
			LockGrant first = take(engine, request);
			first.renew(request.lease());
			first.release(Duration.ZERO);
			try (RedisMonitor monitor = RedisMonitor.of(set.master())) {
				LockGrant grant = take(engine, request);
				assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1), Map.entry("wait", 1));
				grant.renew(request.lease());
				assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1));
				grant.release(Duration.ZERO);
				assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1));
			}
		}
	}

	/** Its locks are renewed again and again, and each renewal waits for the time-out. */
	@Test
	void aMasterThatHangsCostsNoLockOfTheOthers() {
		try (RedisCluster cluster = RedisCluster.start();
				TestRedisson clients = clients(TestRedisson.of(cluster));
				EngineDistributedLocks locks = new EngineDistributedLocks(List.of(clients.node()),
						Duration.ofSeconds(9), List.of())) {
			EmbeddedRedis hanging = cluster.masterOf(NAME);
			List<DistributedLock> hung = taken(locks, 40, (name) -> cluster.masterOf(name) == hanging);
			List<DistributedLock> others = taken(locks, 20, (name) -> cluster.masterOf(name) != hanging);
			RedisTalk.tell(hanging, "CLIENT PAUSE 60000 WRITE");
			await().pollInSameThread()
				.atMost(Duration.ofSeconds(60))
				.until(() -> hung.stream().noneMatch(DistributedLock::isValid));
			assertThat(others).allMatch(DistributedLock::isValid);
		}
	}

	private static List<DistributedLock> taken(EngineDistributedLocks locks, int count, Predicate<String> names) {
		List<DistributedLock> taken = IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> "stock:" + i)
			.filter(names)
			.limit(count)
			.map(locks::get)
			.toList();
		taken.forEach(DistributedLock::lock);
		return taken;
	}

	private static LockGrant take(LockEngine engine, LockRequest request) throws InterruptedException {
		return Objects.requireNonNull(engine.acquire(request, Duration.ZERO));
	}

	/** Servers talk to each other as well. */
	private static Map<String, Integer> ours(RedisMonitor monitor) {
		Map<String, Integer> commands = monitor.commands();
		commands.keySet()
			.removeAll(Set.of("ping", "info", "publish", "replconf", "client", "role", "hello", "subscribe"));
		return commands;
	}

	private void failOver(TestRedisson clients, Runnable failure) throws Exception {
		try (EngineDistributedLocks locks = locks(clients); EngineDistributedLocks otherLocks = locks(clients)) {
			DistributedLock lock = locks.get(NAME);
			DistributedLock next = otherLocks.get(NAME);
			next.lock();
			long first = next.fencingToken();
			next.unlock();
			lock.lock();
			long token = lock.fencingToken();
			assertThat(token).isGreaterThan(first);
			failure.run();
			awaitAnswer(next);
			assertThat(next.tryLock()).isFalse();
			assertThat(lock.isValid()).isTrue();
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(doubts()).isZero());
			lock.unlock();
			next.lock();
			assertThat(next.fencingToken()).isGreaterThan(token);
			next.unlock();
			assertThat(this.events).extracting(LockEvent::type).doesNotContain(LockEvent.Type.LOST);
		}
	}

	private EngineDistributedLocks locks(TestRedisson clients) {
		return new EngineDistributedLocks(List.of(clients.node()), Duration.ofSeconds(40), List.of(this.events::add));
	}

	private static void awaitAnswer(DistributedLock lock) {
		await().atMost(Duration.ofSeconds(30)).ignoreException(LockUnavailableException.class).until(() -> {
			if (lock.tryLock()) {
				lock.unlock();
			}
			return true;
		});
	}

	private long doubts() {
		return this.events.stream().filter((event) -> event.type() == LockEvent.Type.SUSPECT).count()
				- this.events.stream().filter((event) -> event.type() == LockEvent.Type.RESUMED).count();
	}

}
