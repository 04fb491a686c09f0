package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

import static org.awaitility.Awaitility.await;

/**
 * A node of an application: a client, its engine, its locks, and what it was told.
 */
final class Node implements AutoCloseable {

	final CuratorFramework client;

	final ZooKeeperLockEngine engine;

	private final EngineDistributedLocks locks;

	private final List<LockEvent> events = new CopyOnWriteArrayList<>();

	Node(String connectString, Duration session) {
		this.client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs((int) session.toMillis())
			.connectionTimeoutMs(3000)
			.retryPolicy(new ExponentialBackoffRetry(100, 3))
			.ensembleTracker(false)
			.build();
		this.client.start();
		await().atMost(Duration.ofSeconds(30)).until(this.client.getZookeeperClient()::isConnected);
		this.engine = new ZooKeeperLockEngine(this.client, TestSettings.BASE_PATH, "");
		this.locks = new EngineDistributedLocks(List.of(this.engine), Duration.ofSeconds(30),
				List.of(this.events::add));
	}

	DistributedLock lock(String name) {
		return this.locks.get(name);
	}

	List<LockEvent.Type> told() {
		return this.events.stream().map(LockEvent::type).toList();
	}

	/**
	 * Who stands in the line for a lock, its holder included.
	 */
	List<String> line(String name) throws Exception {
		return this.client.getChildren().forPath(TestSettings.BASE_PATH + "/" + name);
	}

	@Override
	public void close() {
		this.locks.close();
		this.engine.close();
		this.client.close();
	}

}
