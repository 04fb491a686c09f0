package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Readers and writers in the queue of a lock, and beside Curator's mutex.
 */
@Timeout(60)
class ZooKeeperReadWriteTests {

	private static final LockRequest WRITE = new LockRequest("a", Duration.ofSeconds(30), false);

	private static final LockRequest READ = WRITE.withMode(LockMode.READ);

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final TestZooKeeper server = TestZooKeeper.start();

	private final Node node = new Node(this.server.connectString(), Duration.ofSeconds(30));

	private final Node other = new Node(this.server.connectString(), Duration.ofSeconds(30));

	@AfterEach
	void stop() {
		this.node.close();
		this.other.close();
		this.server.close();
	}

	@Test
	void aMutexExcludesALock() throws Exception {
		InterProcessMutex mutex = mutex();
		mutex.acquire();
		assertThat(this.node.engine.acquire(WRITE, Duration.ZERO)).isNull();
		mutex.release();
		LockGrant grant = requireNonNull(this.node.engine.acquire(WRITE, Duration.ZERO));
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void aLockExcludesAMutex() throws Exception {
		InterProcessMutex mutex = mutex();
		LockGrant grant = requireNonNull(this.node.engine.acquire(WRITE, Duration.ZERO));
		assertThat(mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
		grant.release(Duration.ZERO);
		assertThat(mutex.acquire(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void bothWaitInOneQueue() throws Exception {
		InterProcessMutex mutex = mutex();
		LockGrant first = requireNonNull(this.node.engine.acquire(WRITE, Duration.ZERO));
		Future<Boolean> second = this.threads.submit(() -> {
			boolean acquired = mutex.acquire(20, TimeUnit.SECONDS);
			mutex.release();
			return acquired;
		});
		awaitLine(2);
		Future<@Nullable LockGrant> third = this.threads
			.submit(() -> this.node.engine.acquire(WRITE, LockEngine.FOREVER));
		awaitLine(3);
		first.release(Duration.ZERO);
		assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(requireNonNull(third.get(20, TimeUnit.SECONDS)).token()).isGreaterThan(first.token());
	}

	@Test
	void aMutexAndReadersExcludeEachOther() throws Exception {
		InterProcessMutex mutex = mutex();
		LockGrant one = now(READ);
		LockGrant two = now(READ);
		assertThat(mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
		one.release(Duration.ZERO);
		assertThat(mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
		two.release(Duration.ZERO);
		assertThat(mutex.acquire(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.node.engine.acquire(READ, Duration.ZERO)).isNull();
		mutex.release();
		now(READ).release(Duration.ZERO);
	}

	@Test
	void readersAndWritersAreServedInTheOrderOfTheirArrival() throws Exception {
		LockGrant first = now(READ);
		Future<@Nullable LockGrant> writer = waiting(WRITE, 2);
		Future<@Nullable LockGrant> reader = waiting(READ, 3);
		Future<@Nullable LockGrant> lastWriter = waiting(WRITE, 4);
		first.release(Duration.ZERO);
		LockGrant second = requireNonNull(writer.get(20, TimeUnit.SECONDS));
		assertThat(reader.isDone() || lastWriter.isDone()).isFalse();
		second.release(Duration.ZERO);
		LockGrant third = requireNonNull(reader.get(20, TimeUnit.SECONDS));
		assertThat(lastWriter.isDone()).isFalse();
		third.release(Duration.ZERO);
		assertThat(requireNonNull(lastWriter.get(20, TimeUnit.SECONDS)).token()).isGreaterThan(second.token());
	}

	private InterProcessMutex mutex() {
		return new InterProcessMutex(this.other.client, TestSettings.BASE_PATH + "/a");
	}

	private LockGrant now(LockRequest request) throws InterruptedException {
		return requireNonNull(this.node.engine.acquire(request, Duration.ZERO));
	}

	private Future<@Nullable LockGrant> waiting(LockRequest request, int nodes) {
		Future<@Nullable LockGrant> waiting = this.threads
			.submit(() -> this.other.engine.acquire(request, LockEngine.FOREVER));
		awaitLine(nodes);
		return waiting;
	}

	private void awaitLine(int nodes) {
		await().untilAsserted(() -> assertThat(this.node.line("a")).hasSize(nodes));
	}

}
