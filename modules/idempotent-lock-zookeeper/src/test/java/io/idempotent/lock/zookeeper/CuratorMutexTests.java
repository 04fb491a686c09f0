package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Locks beside Curator's mutex on the same path.
 */
@Timeout(60)
class CuratorMutexTests {

	private static final LockRequest REQUEST = new LockRequest("a", Duration.ofSeconds(1), false);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private TestZooKeeper server;

	private Node node;

	private Node other;

	private InterProcessMutex mutex;

	@BeforeEach
	void start() throws Exception {
		this.server = TestZooKeeper.start();
		this.node = new Node(this.server.connectString(), Duration.ofSeconds(30));
		this.other = new Node(this.server.connectString(), Duration.ofSeconds(30));
		this.mutex = new InterProcessMutex(this.other.client, TestSettings.BASE_PATH + "/a");
	}

	@AfterEach
	void stop() throws Exception {
		this.threads.shutdownNow();
		this.node.close();
		this.other.close();
		this.server.close();
	}

	@Test
	void aMutexExcludesALock() throws Exception {
		this.mutex.acquire();
		assertThat(this.node.engine.acquire(REQUEST, Duration.ZERO)).isNull();
		this.mutex.release();
		LockGrant grant = require(this.node.engine.acquire(REQUEST, Duration.ZERO));
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void aLockExcludesAMutex() throws Exception {
		LockGrant grant = require(this.node.engine.acquire(REQUEST, Duration.ZERO));
		assertThat(this.mutex.acquire(100, TimeUnit.MILLISECONDS)).isFalse();
		grant.release(Duration.ZERO);
		assertThat(this.mutex.acquire(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void bothWaitInOneQueue() throws Exception {
		LockGrant first = require(this.node.engine.acquire(REQUEST, Duration.ZERO));
		Future<Boolean> second = this.threads.submit(() -> {
			boolean acquired = this.mutex.acquire(20, TimeUnit.SECONDS);
			this.mutex.release();
			return acquired;
		});
		awaitNodes(2);
		Future<@Nullable LockGrant> third = this.threads
			.submit(() -> this.node.engine.acquire(REQUEST, LockEngine.FOREVER));
		awaitNodes(3);
		first.release(Duration.ZERO);
		assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(require(third.get(20, TimeUnit.SECONDS)).token()).isGreaterThan(first.token());
	}

	private void awaitNodes(int count) {
		await().untilAsserted(() -> assertThat(this.node.line("a")).hasSize(count));
	}

	private static LockGrant require(@Nullable LockGrant grant) {
		assertThat(grant).isNotNull();
		return grant;
	}

}
