package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators see of locks in ZooKeeper, beyond the contract of engines.
 */
class ZooKeeperAdministrationTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static TestZooKeeper server;

	private static Node node;

	private static LockEngine engine;

	private static LockEngine other;

	private final String name = "administration-" + System.nanoTime();

	@BeforeAll
	static void start() {
		server = TestZooKeeper.start();
		node = new Node(server.connectString(), Duration.ofSeconds(30));
		engine = new ZooKeeperLockEngine(node.client, TestSettings.BASE_PATH, "shop@host-1:4711");
		other = TestSettings.connect(server.connectString());
	}

	@AfterAll
	static void stop() throws Exception {
		engine.close();
		other.close();
		node.close();
		server.close();
	}

	@Test
	void showsTheNodeOfAHolder() throws Exception {
		LockGrant grant = take(LockMode.WRITE);
		assertHolder(LockMode.WRITE, grant.token());
		grant.renew(LEASE);
		assertHolder(LockMode.WRITE, grant.token());
		grant.release(Duration.ZERO);
		LockGrant reader = take(LockMode.READ);
		assertHolder(LockMode.READ, null);
		reader.renew(LEASE);
		assertHolder(LockMode.READ, null);
		reader.release(Duration.ZERO);
	}

	@Test
	void countsTheWaitersBehindReaders() throws Exception {
		LockGrant first = take(LockMode.READ);
		LockGrant second = take(LockMode.READ);
		String waiting = node.client.create()
			.withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
			.forPath(TestSettings.BASE_PATH + "/" + this.name + "/lock-");
		assertThat(other.inspect(this.name).holders()).hasSize(2);
		assertThat(other.inspect(this.name).waiters()).isEqualTo(1);
		assertThat(other.forceRelease(this.name)).isTrue();
		assertThat(node.line(this.name)).hasSize(1);
		assertThat(first.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		node.client.delete().forPath(waiting);
	}

	@Test
	void showsAndReleasesAMutexOfCurator() throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(node.client, TestSettings.BASE_PATH + "/" + this.name);
		mutex.acquire(5, TimeUnit.SECONDS);
		String address = new String(
				node.client.getData()
					.forPath(TestSettings.BASE_PATH + "/" + this.name + "/" + node.line(this.name).get(0)),
				StandardCharsets.UTF_8);
		assertThat(other.inspect(this.name).holders()).singleElement().extracting(LockHolder::node).isEqualTo(address);
		assertThat(other.forceRelease(this.name)).isTrue();
		assertThat(node.line(this.name)).isEmpty();
	}

	private void assertHolder(LockMode mode, Long token) {
		assertThat(other.inspect(this.name).holders()).singleElement().satisfies((holder) -> {
			assertThat(holder.node()).isEqualTo("shop@host-1:4711");
			assertThat(holder.thisNode()).isFalse();
			assertThat(holder.mode()).isEqualTo(mode);
			assertThat(holder.token()).isEqualTo(token);
		});
		assertThat(engine.inspect(this.name).holders().get(0).thisNode()).isTrue();
	}

	private LockGrant take(LockMode mode) throws InterruptedException {
		return Objects
			.requireNonNull(engine.acquire(new LockRequest(this.name, LEASE, false).withMode(mode), Duration.ZERO));
	}

}
