package io.idempotent.benchmarks.lock;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.idempotent.benchmarks.lock.LockContender.Role;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Locks in ZooKeeper, all of them on one client.
 */
final class ZooKeeperRivals implements Rivals {

	private final CuratorFramework client;

	private final ZooKeeperLockEngine engine;

	private final EngineDistributedLocks ours;

	private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

	ZooKeeperRivals(String servers) throws InterruptedException {
		this.client = CuratorFrameworkFactory.newClient(servers, new ExponentialBackoffRetry(100, 3));
		this.client.start();
		this.client.blockUntilConnected();
		this.engine = new ZooKeeperLockEngine(this.client, "/ours", "");
		this.ours = Rivals.ours(this.engine);
	}

	@Override
	public List<LockContender> contenders() {
		return List.of(new LockContender("this library, zookeeper", Role.OURS, Rivals.guard(this.ours)),
				new LockContender("Curator InterProcessMutex", Role.RAW, this::inMutex));
	}

	private void inMutex(String name, Runnable section) throws Exception {
		InterProcessMutex mutex = this.mutexes.computeIfAbsent(name,
				(key) -> new InterProcessMutex(this.client, "/mutex/" + key));
		mutex.acquire();
		try {
			section.run();
		}
		finally {
			mutex.release();
		}
	}

	@Override
	public void close() {
		this.ours.close();
		this.engine.close();
		this.client.close();
	}

}
