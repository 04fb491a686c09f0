package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.listen.UnaryListenerManager;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * One node behind a network that fails, and one that is not.
 */
@Tag("slow")
@Timeout(120)
class ZooKeeperFaultTests {

	private static final Duration SHORT_SESSION = Duration.ofSeconds(2);

	/** Longer than any fault of these tests, so that the session survives it. */
	private static final Duration LONG_SESSION = Duration.ofSeconds(20);

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final TestZooKeeper server = TestZooKeeper.start();

	private final FaultyProxy network = new FaultyProxy("localhost", this.server.port());

	private final Node far = new Node(this.server.connectString(), LONG_SESSION);

	private @Nullable Node near;

	@AfterEach
	void stop() {
		if (this.near != null) {
			this.near.close();
		}
		this.far.close();
		this.network.close();
		this.server.close();
	}

	private Node near(Duration session) {
		this.near = new Node("localhost:" + this.network.port(), session);
		return this.near;
	}

	@Test
	void aShortDisconnectionLosesNoLock() throws Exception {
		Node near = near(LONG_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		this.network.partition();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.SUSPECT));
		assertThat(lock.isValid()).isTrue();
		assertThat(this.far.lock("a").tryLock()).isFalse();
		this.network.heal();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.RESUMED));
		assertThat(lock.isValid()).isTrue();
		assertThat(this.far.lock("a").tryLock()).isFalse();
		lock.unlock();
		assertThat(this.far.lock("a").tryLock()).isTrue();
		assertThat(near.told()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void anExpiredSessionIsALossForItsHolderOnly() throws Exception {
		Node near = near(SHORT_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		long token = lock.fencingToken();
		this.network.partition();
		DistributedLock next = this.far.lock("a");
		next.lock();
		assertThat(next.fencingToken()).isGreaterThan(token);
		assertThat(lock.isValid()).isFalse();
		this.network.heal();
		await().until(near.engine.sessionClient()::isConnected);
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.SUSPECT, LockEvent.Type.LOST));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThat(near.lock("a").tryLock()).isFalse();
		assertThat(next.isValid()).isTrue();
		next.unlock();
		assertThat(near.lock("a").tryLock()).isTrue();
	}

	@Test
	void aSessionThatTheServerClosedIsALoss() throws Exception {
		Node near = near(LONG_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		this.server.expire(near.client.getZookeeperClient().getZooKeeper());
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.LOST));
		assertThat(lock.isValid()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void aHolderWithoutRepliesGivesUpBeforeTheNextGrant() throws Exception {
		Node near = near(SHORT_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		Future<Long> next = this.threads.submit(() -> {
			this.far.lock("a").lock();
			return System.nanoTime();
		});
		this.network.freeze();
		long valid = System.nanoTime();
		while (lock.isValid()) {
			valid = System.nanoTime();
			Thread.onSpinWait();
		}
		assertThat(next.get() - valid).isPositive();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.LOST));
		this.network.thaw();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void theEndOfAFormerSessionEndsNoLockOfThisOne() throws Exception {
		Node near = near(LONG_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		((UnaryListenerManager<ConnectionStateListener>) near.client.getConnectionStateListenable())
			.forEach((listener) -> listener.stateChanged(near.client, ConnectionState.LOST));
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
		assertThat(near.told()).doesNotContain(LockEvent.Type.LOST);
	}

	@Test
	void aShortRestartLosesNoLock() throws Exception {
		Node near = near(LONG_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		this.server.stop();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.SUSPECT));
		this.server.restart();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.RESUMED));
		assertThat(lock.isValid()).isTrue();
		await().until(this.far.engine.sessionClient()::isConnected);
		assertThat(this.far.lock("a").tryLock()).isFalse();
		lock.unlock();
	}

	@Test
	void theTokenGrowsBeyondRestartsAndDeletedParents() throws Exception {
		LockRequest request = request("a");
		LockGrant first = requireNonNull(this.far.engine.acquire(request, Duration.ZERO));
		first.release(Duration.ZERO);
		this.far.client.delete().forPath(TestSettings.BASE_PATH + "/a");
		LockGrant second = requireNonNull(this.far.engine.acquire(request, Duration.ZERO));
		assertThat(this.far.line("a")).singleElement().asString().endsWith("0000000000");
		second.release(Duration.ZERO);
		this.server.restart();
		await().until(this.far.engine.sessionClient()::isConnected);
		LockGrant third = requireNonNull(this.far.engine.acquire(request, Duration.ZERO));
		assertThat(List.of(first.token(), second.token(), third.token())).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void aGrantWhoseReplyWasLostIsFoundAgain() throws Exception {
		Node near = near(LONG_SESSION);
		requireNonNull(near.engine.acquire(request("a"), Duration.ZERO)).release(Duration.ZERO);
		this.network.dropNextReply();
		LockGrant grant = requireNonNull(near.engine.acquire(request("a"), Duration.ZERO));
		assertThat(this.far.line("a")).hasSize(1);
		assertThat(grant.token()).isEqualTo(this.far.client.checkExists()
			.forPath(TestSettings.BASE_PATH + "/a/" + this.far.line("a").get(0))
			.getCzxid());
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(this.far.line("a")).isEmpty();
	}

	@Test
	void aRequestWithoutReplyLeavesNothingBehind() throws Exception {
		Node near = near(LONG_SESSION);
		requireNonNull(near.engine.acquire(request("a"), Duration.ZERO)).release(Duration.ZERO);
		this.network.freezeReplies();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> near.engine.acquire(request("a"), Duration.ZERO))
			.withMessageContainingAll("'zookeeper'", "'a'", "localhost:" + this.network.port());
		assertThat(this.far.line("a")).hasSize(1);
		this.network.thawReplies();
		await().untilAsserted(() -> assertThat(this.far.line("a")).isEmpty());
		assertThat(near.client.getZookeeperClient().isConnected()).isTrue();
	}

	/** How long the machine takes for a lock; the first time counts little. */
	private int usualMicros() throws InterruptedException {
		long start = 0;
		for (int i = 0; i < 20; i++) {
			start = (i == 10) ? System.nanoTime() : start;
			requireNonNull(this.far.engine.acquire(request("a"), Duration.ofSeconds(10))).release(Duration.ZERO);
		}
		return (int) TimeUnit.NANOSECONDS.toMicros((System.nanoTime() - start) / 10);
	}

	@Test
	void anInterruptAtAnyMomentLeavesNothingBehind() throws Exception {
		long seed = Long.getLong("idempotent.seed", System.nanoTime());
		System.out.println("ZooKeeperFaultTests seed " + seed);
		Random random = new Random(seed);
		int interrupted = 0;
		int longest = 2 * usualMicros();
		for (int i = 0; i < 200; i++) {
			Thread caller = Thread.currentThread();
			int micros = random.nextInt(longest);
			Future<?> interrupt = this.threads.submit(() -> {
				LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
				caller.interrupt();
			});
			try {
				LockGrant grant = this.far.engine.acquire(request("a"), Duration.ofSeconds(10));
				assertThat(requireNonNull(grant).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			}
			catch (InterruptedException ex) {
				interrupted++;
			}
			while (!interrupt.isDone()) {
				Thread.onSpinWait();
			}
			Thread.interrupted();
		}
		assertThat(interrupted).as("seed %s", seed).isBetween(1, 199);
		await().untilAsserted(() -> assertThat(this.far.line("a")).as("seed %s", seed).isEmpty());
	}

	@Test
	void aReleaseWithoutConnectionIsSentLater() throws Exception {
		Node near = near(LONG_SESSION);
		DistributedLock lock = near.lock("a");
		lock.lock();
		this.network.partition();
		await().untilAsserted(() -> assertThat(near.told()).contains(LockEvent.Type.SUSPECT));
		lock.unlock();
		assertThat(near.told()).contains(LockEvent.Type.RELEASE_DELAYED);
		assertThat(this.far.line("a")).hasSize(1);
		long session = near.client.getZookeeperClient().getZooKeeper().getSessionId();
		this.network.heal();
		await().untilAsserted(() -> assertThat(this.far.line("a")).isEmpty());
		assertThat(near.client.getZookeeperClient().getZooKeeper().getSessionId()).isEqualTo(session);
	}

	@Test
	void aNodeThatAnOperatorDeletedIsALoss() throws Exception {
		DistributedLock lock = this.far.lock("a");
		lock.lock();
		LockGrant grant = requireNonNull(this.far.engine.acquire(request("b"), Duration.ZERO));
		for (String name : List.of("a", "b")) {
			this.far.client.delete().forPath(TestSettings.BASE_PATH + "/" + name + "/" + this.far.line(name).get(0));
		}
		assertThat(grant.renew(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	@Test
	void anEngineWithoutConnectionIsUnavailable() throws Exception {
		Node near = near(LONG_SESSION);
		this.network.partition();
		await().until(() -> !near.engine.sessionClient().isConnected());
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> near.engine.acquire(request("a"), LockEngine.FOREVER))
			.withMessageContaining("there is no connection");
	}

	@Test
	void aWaitEndsThoughTheConnectionIsDown() throws Exception {
		requireNonNull(this.far.engine.acquire(request("a"), Duration.ZERO));
		Node near = near(LONG_SESSION);
		Future<Throwable> wait = inBackground(() -> near.engine.acquire(request("a"), Duration.ofSeconds(3)));
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(2));
		this.network.partition();
		assertThat(wait.get(15, TimeUnit.SECONDS)).isInstanceOf(LockUnavailableException.class);
		this.network.heal();
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(1));
	}

	@Test
	void aWaitSurvivesAShortFault() throws Exception {
		LockGrant grant = requireNonNull(this.far.engine.acquire(request("a"), Duration.ZERO));
		Node near = near(LONG_SESSION);
		Future<@Nullable LockGrant> wait = this.threads
			.submit(() -> near.engine.acquire(request("a"), LockEngine.FOREVER));
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(2));
		this.network.breakConnections();
		await().until(() -> !near.engine.sessionClient().isConnected());
		grant.release(Duration.ZERO);
		assertThat(requireNonNull(wait.get(20, TimeUnit.SECONDS)).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void aKeptLockEndsWithTheClient() throws Exception {
		Node near = near(LONG_SESSION);
		LockGrant grant = requireNonNull(near.engine.acquire(request("a"), Duration.ZERO));
		assertThat(grant.release(Duration.ofMinutes(10))).isEqualTo(GrantState.HELD);
		assertThat(this.far.engine.acquire(request("a"), Duration.ZERO)).isNull();
		near.close();
		assertThat(this.far.engine.acquire(request("a"), Duration.ofSeconds(20))).isNotNull();
	}

	@Test
	void aClosedEngineIsUnavailable() throws Exception {
		Node near = near(LONG_SESSION);
		near.engine.close();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> near.engine.acquire(request("a"), Duration.ZERO))
			.withMessageContaining("the engine is closed");
		assertThat(near.client.getZookeeperClient().isConnected()).as("the client is its owner's").isTrue();
	}

	@Test
	void aClosedEngineEndsItsWaits() throws Exception {
		requireNonNull(this.far.engine.acquire(request("a"), Duration.ZERO));
		Node near = near(LONG_SESSION);
		Future<Throwable> wait = inBackground(() -> near.engine.acquire(request("a"), LockEngine.FOREVER));
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(2));
		near.engine.close();
		assertThat(wait.get(20, TimeUnit.SECONDS)).isInstanceOf(LockUnavailableException.class)
			.hasMessageContaining("the engine is closed");
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(1));
	}

	@Test
	void aWaitThatAnErrorEndsLeavesNothingBehind() throws Exception {
		requireNonNull(this.far.engine.acquire(request("a"), Duration.ZERO));
		AtomicBoolean failing = new AtomicBoolean();
		LockRequest request = request("a").until(() -> {
			if (failing.get()) {
				throw new StackOverflowError("planted");
			}
			return false;
		});
		Future<@Nullable LockGrant> wait = this.threads
			.submit(() -> this.far.engine.acquire(request, LockEngine.FOREVER));
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(2));
		failing.set(true);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(wait::get)
			.withCauseInstanceOf(StackOverflowError.class);
		await().untilAsserted(() -> assertThat(this.far.line("a")).hasSize(1));
	}

	private Future<Throwable> inBackground(Callable<?> task) {
		return this.threads.submit(() -> {
			try {
				return new AssertionError("It returned " + task.call());
			}
			catch (Exception ex) {
				return ex;
			}
		});
	}

	private static LockRequest request(String name) {
		return new LockRequest(name, Duration.ofSeconds(1), false);
	}

}
