package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.curator.RetryLoop;
import org.apache.curator.RetryPolicy;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Contends for a lock, once: creates an ephemeral sequential node, and holds the lock if
 * its node has the lowest number; a reader, if no writer's is lower. Otherwise it watches
 * the node before its own, or the nearest writer's, and lists again when that changes.
 *
 * <p>
 * Only the node with the lowest number holds the lock as a writer, so only this node can
 * have been downgraded. Its name remains; its data shows the downgrade. The nodes are
 * those of Curator's {@code InterProcessMutex}. Curator puts a unique id into the name of
 * the node, and looks for it if the reply to its creation was lost.
 */
final class LockContender implements Callable<@Nullable ZooKeeperGrant> {

	private final ZooKeeperSessionClient zooKeeper;

	private final String lock;

	private final String parent;

	private final boolean shared;

	private final boolean waits;

	private final PredecessorWatcher predecessor;

	private final CountDownLatch queuedOrDone = new CountDownLatch(1);

	private volatile boolean queued;

	LockContender(ZooKeeperSessionClient zooKeeper, String lock, String parent, boolean shared, boolean waits) {
		this.zooKeeper = zooKeeper;
		this.lock = lock;
		this.parent = parent;
		this.shared = shared;
		this.waits = waits;
		this.predecessor = new PredecessorWatcher(zooKeeper);
	}

	/** Waits until this contender waits for another node, or its call has ended. */
	boolean awaitQueuedOrDone(long nanos) throws InterruptedException {
		return this.queuedOrDone.await(nanos, TimeUnit.NANOSECONDS);
	}

	boolean isQueued() {
		return this.queued;
	}

	void done() {
		this.queuedOrDone.countDown();
	}

	/**
	 * Starts again if its node has disappeared, as with an expired session, for as long
	 * as the retry policy allows. Null if another node holds the lock and this one does
	 * not wait.
	 */
	@Override
	public @Nullable ZooKeeperGrant call() throws Exception {
		RetryPolicy retries = this.zooKeeper.client().getZookeeperClient().getRetryPolicy();
		long start = System.nanoTime();
		for (int retry = 0;; retry++) {
			try {
				return contend();
			}
			catch (NoNodeException ex) {
				long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
				if (!retries.allowRetry(retry, elapsed, RetryLoop.getDefaultRetrySleeper())) {
					throw ex;
				}
			}
		}
	}

	private @Nullable ZooKeeperGrant contend() throws Exception {
		Stat created = new Stat();
		String path = createNode(created);
		try {
			if (awaitTurn(path)) {
				return grant(path, created);
			}
		}
		catch (Exception ex) {
			this.predecessor.stop();
			this.zooKeeper.deleteInBackground(path);
			throw ex;
		}
		this.zooKeeper.delete(path);
		return null;
	}

	private String createNode(Stat created) throws Exception {
		return this.zooKeeper.client()
			.create()
			.storingStatIn(created)
			.creatingParentContainersIfNeeded()
			.withProtection()
			.withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
			.forPath(ZKPaths.makePath(this.parent, this.shared ? NodeFormat.READER_PREFIX : NodeFormat.SEQUENCE_PREFIX),
					this.zooKeeper.format().data(this.shared));
	}

	private boolean awaitTurn(String path) throws Exception {
		List<String> blocking = blockingNodes(path);
		while (!blocking.isEmpty()) {
			if (!this.waits) {
				return isDowngraded(blocking);
			}
			this.queued = true;
			this.queuedOrDone.countDown();
			String nearest = Collections.max(blocking, Comparator.comparing(NodeFormat::sequence));
			boolean gone = this.predecessor.awaitChange(ZKPaths.makePath(this.parent, nearest), this.shared);
			// No node is ever inserted before ours, so ours is the first if this was the
			// only one.
			blocking = (gone && blocking.size() == 1) ? List.of() : blockingNodes(path);
		}
		return true;
	}

	/** Whether only a downgraded writer is before a reader that does not wait. */
	private boolean isDowngraded(List<String> blocking) throws Exception {
		if (!this.shared || blocking.size() > 1) {
			return false;
		}
		try {
			String node = ZKPaths.makePath(this.parent, blocking.get(0));
			return NodeFormat.isShared(this.zooKeeper.client().getData().forPath(node));
		}
		catch (NoNodeException ex) {
			return true;
		}
	}

	/** The nodes before that of this contender which must disappear first. */
	private List<String> blockingNodes(String path) throws Exception {
		String own = ZKPaths.getNodeFromPath(path);
		List<String> nodes = this.zooKeeper.client().getChildren().forPath(this.parent);
		if (!nodes.contains(own)) {
			throw new NoNodeException(path);
		}
		String sequence = NodeFormat.sequence(own);
		return nodes.stream()
			.filter((node) -> NodeFormat.sequence(node).compareTo(sequence) < 0)
			.filter((node) -> !this.shared || !NodeFormat.isReader(node))
			.toList();
	}

	private ZooKeeperGrant grant(String path, Stat created) throws Exception {
		// Empty if the reply was lost and Curator has found the node by its id.
		Stat node = (created.getCzxid() != 0) ? created : this.zooKeeper.client().checkExists().forPath(path);
		ZooKeeper session = this.zooKeeper.session();
		if (session == null || node == null || node.getEphemeralOwner() != ZooKeeperSessionClient.id(session)) {
			throw new IllegalStateException("the session ended while the lock was taken");
		}
		Duration lease = Duration.ofMillis(session.getSessionTimeout());
		return ZooKeeperGrant.of(this.zooKeeper, this.lock, path, node, lease, this.shared);
	}

}
