package io.idempotent.lock.zookeeper;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockRequest;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
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
 * Works on the caller's thread, by asynchronous requests: Curator's blocking calls would
 * wait for as long as its retry policy allows, whatever the caller's limits. The first
 * list is requested together with the creation, since a server processes the requests of
 * a session in their order. A node whose creation is confirmed after its caller has given
 * up is deleted.
 *
 * <p>
 * The nodes are those of Curator's {@code InterProcessMutex}. Curator puts a unique id
 * into the name of the node, and looks for it if the reply to its creation was lost.
 */
final class NodeContender {

	private static final byte[] NO_DATA = {};

	private static final long SHORTEST_REPLY_TIMEOUT = TimeUnit.SECONDS.toNanos(1);

	private final ZooKeeperSessionClient zooKeeper;

	private final String lock;

	private final String parent;

	private final boolean shared;

	private final Duration wait;

	private final InterruptibleWait waiting;

	private final PredecessorWatcher predecessor;

	private final long start = System.nanoTime();

	private boolean queued;

	private long pause;

	/** The parent is the full path, with the namespace. */
	NodeContender(ZooKeeperSessionClient zooKeeper, LockRequest request, String parent, Duration wait,
			InterruptibleWait waiting) {
		this.zooKeeper = zooKeeper;
		this.lock = request.name();
		this.parent = parent;
		this.shared = request.mode() == LockMode.READ;
		this.wait = wait;
		this.waiting = waiting;
		this.predecessor = new PredecessorWatcher(zooKeeper);
	}

	/** Whether this contender has waited for another node. */
	boolean isQueued() {
		return this.queued;
	}

	/**
	 * Starts again if its node has disappeared, as with an expired session, for as long
	 * as the retry policy allows. Null if another node holds the lock and this one does
	 * not wait.
	 */
	@Nullable ZooKeeperGrant acquire() throws Exception {
		RetryPolicy retries = this.zooKeeper.client().getZookeeperClient().getRetryPolicy();
		for (int retry = 0;; retry++) {
			try {
				return contend();
			}
			catch (NoNodeException ex) {
				long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.start);
				if (!retries.allowRetry(retry, elapsed, (time, unit) -> this.pause = unit.toNanos(time))) {
					throw ex;
				}
				this.waiting.pause(Math.min(this.pause, left()));
			}
		}
	}

	private @Nullable ZooKeeperGrant contend() throws Exception {
		CompletableFuture<CuratorEvent> creation = createNode();
		try {
			CompletableFuture<CuratorEvent> list = listNodes();
			// Both replies wake this thread once: that of the creation comes first.
			CuratorEvent listed = this.waiting.get(list, left());
			CuratorEvent created = reply(creation);
			String own = ZKPaths.getNodeFromPath(created.getName());
			// The list came too early if the creation took another request.
			if (awaitTurn(own, includes(listed, own) ? list : listNodes())) {
				return grant(created);
			}
			this.waiting.get(this.zooKeeper.delete(created.getName()), left());
			return null;
		}
		catch (Throwable ex) {
			this.predecessor.stop();
			CompletableFuture<Void> unused = creation.thenAccept(this::deleteCreated);
			throw ex;
		}
	}

	private void deleteCreated(CuratorEvent creation) {
		if (creation.getResultCode() == Code.OK.intValue()) {
			CompletableFuture<CuratorEvent> unused = this.zooKeeper.delete(creation.getName());
		}
	}

	/** Creates the parent if there is none, which is the exception. */
	private CompletableFuture<CuratorEvent> createNode() {
		return requestNode().thenCompose((creation) -> (creation.getResultCode() == Code.NONODE.intValue())
				? requestParent().thenCompose((parent) -> requestNode()) : CompletableFuture.completedFuture(creation));
	}

	private CompletableFuture<CuratorEvent> requestNode() {
		return this.zooKeeper.request((client, callback) -> client.create()
			.withProtection()
			.withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
			.inBackground(callback)
			.forPath(ZKPaths.makePath(this.parent, this.shared ? NodeFormat.READER_PREFIX : NodeFormat.SEQUENCE_PREFIX),
					this.zooKeeper.data()));
	}

	private CompletableFuture<CuratorEvent> requestParent() {
		return this.zooKeeper.request((client, callback) -> client.create()
			.creatingParentContainersIfNeeded()
			.withMode(CreateMode.CONTAINER)
			.inBackground(callback)
			.forPath(this.parent, NO_DATA));
	}

	private CompletableFuture<CuratorEvent> listNodes() {
		return this.zooKeeper
			.request((client, callback) -> client.getChildren().inBackground(callback).forPath(this.parent));
	}

	private CuratorEvent reply(CompletableFuture<CuratorEvent> request) throws Exception {
		CuratorEvent event = this.waiting.get(request, left());
		if (event.getResultCode() != Code.OK.intValue()) {
			throw KeeperException.create(Code.get(event.getResultCode()), event.getPath());
		}
		return event;
	}

	/**
	 * Another node is awaited for the caller's time, and so is a reply, unless that time
	 * is longer than the time-out, or too short to say that there is none.
	 */
	private long left() {
		long time = this.queued ? this.wait.toNanos() : replyTimeout();
		return Math.max(0, this.start + time - System.nanoTime());
	}

	private long replyTimeout() {
		long timeout = TimeUnit.MILLISECONDS.toNanos(this.zooKeeper.replyTimeout());
		return this.wait.isZero() ? timeout : Math.min(timeout, Math.max(this.wait.toNanos(), SHORTEST_REPLY_TIMEOUT));
	}

	private static boolean includes(CuratorEvent list, String node) {
		return list.getResultCode() == Code.OK.intValue() && list.getChildren().contains(node);
	}

	private boolean awaitTurn(String own, CompletableFuture<CuratorEvent> firstList) throws Exception {
		List<String> blocking = blockingNodes(own, firstList);
		while (!blocking.isEmpty()) {
			if (this.wait.isZero()) {
				return false;
			}
			this.queued = true;
			String nearest = Collections.max(blocking, Comparator.comparing(NodeFormat::sequence));
			boolean gone = this.waiting.get(this.predecessor.watch(ZKPaths.makePath(this.parent, nearest)), left());
			// No node is ever inserted before ours, so ours is the first if this was the
			// only one.
			blocking = (gone && blocking.size() == 1) ? List.of() : blockingNodes(own, listNodes());
		}
		return true;
	}

	/** The nodes before that of this contender which must disappear first. */
	private List<String> blockingNodes(String own, CompletableFuture<CuratorEvent> list) throws Exception {
		List<String> nodes = reply(list).getChildren();
		if (!nodes.contains(own)) {
			throw new NoNodeException(own);
		}
		String sequence = NodeFormat.sequence(own);
		return nodes.stream()
			.filter((node) -> NodeFormat.sequence(node).compareTo(sequence) < 0)
			.filter((node) -> !this.shared || !NodeFormat.isReader(node))
			.toList();
	}

	private ZooKeeperGrant grant(CuratorEvent created) throws Exception {
		String path = created.getName();
		// None if the reply was lost and Curator has found the node by its id.
		Stat node = (created.getStat() != null) ? created.getStat()
				: reply(this.zooKeeper
					.request((client, callback) -> client.checkExists().inBackground(callback).forPath(path)))
					.getStat();
		ZooKeeper session = this.zooKeeper.session();
		if (session == null || node.getEphemeralOwner() != ZooKeeperSessionClient.id(session)) {
			throw new IllegalStateException("the session ended while the lock was taken");
		}
		Duration lease = Duration.ofMillis(session.getSessionTimeout());
		return new ZooKeeperGrant(this.zooKeeper, this.lock, path, node, lease, this.shared);
	}

}
