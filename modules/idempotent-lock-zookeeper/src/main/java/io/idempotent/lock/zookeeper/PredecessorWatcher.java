package io.idempotent.lock.zookeeper;

import java.util.concurrent.CompletableFuture;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The node before a candidate. Used by the thread of the candidate alone; what it waits
 * for comes on the thread of the client.
 *
 * <p>
 * The watch is set by an asynchronous request and removed by another one, in this order:
 * a call of Curator's that is interrupted before its answer leaves a watch that Curator
 * does not know, and that would live as long as the node.
 */
final class PredecessorWatcher implements Watcher {

	private final ZooKeeperSessionClient ensemble;

	private volatile CompletableFuture<Code> change = new CompletableFuture<>();

	private @Nullable ZooKeeper session;

	private String fullPath = "";

	PredecessorWatcher(ZooKeeperSessionClient ensemble) {
		this.ensemble = ensemble;
	}

	/**
	 * Waits until something happens to a node, or to the connection.
	 * @param path where the node is, below the namespace
	 * @return whether it is known to be gone
	 * @throws InterruptedException if the thread is interrupted
	 * @throws KeeperException if it cannot be watched
	 */
	boolean awaitChange(String path) throws Exception {
		ZooKeeper session = this.ensemble.session();
		if (session == null) {
			throw new KeeperException.SessionExpiredException();
		}
		CompletableFuture<Code> change = new CompletableFuture<>();
		this.change = change;
		this.session = session;
		this.fullPath = this.ensemble.fullPath(path);
		session.getData(this.fullPath, this, (code, node, context, data, stat) -> {
			if (code != Code.OK.intValue()) {
				change.complete(Code.get(code));
			}
		}, null);
		Code code = change.get();
		return switch (code) {
			case NONODE -> true;
			// Whoever looks at the line next sees what has become of it.
			case OK, CONNECTIONLOSS, SESSIONEXPIRED -> false;
			default -> throw KeeperException.create(code, this.fullPath);
		};
	}

	@Override
	public void process(WatchedEvent event) {
		this.change.complete((event.getType() == EventType.NodeDeleted) ? Code.NONODE : Code.OK);
	}

	/**
	 * Watches no longer. Never blocks.
	 */
	void forget() {
		if (this.session != null) {
			this.session.removeWatches(this.fullPath, this, WatcherType.Data, true, (code, node, context) -> {
			}, null);
		}
	}

}
