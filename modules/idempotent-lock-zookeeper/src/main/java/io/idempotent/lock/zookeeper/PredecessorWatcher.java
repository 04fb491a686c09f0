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
 * Watches the node before that of a contender. Used only by the thread of the contender;
 * events arrive on the thread of the ZooKeeper client.
 *
 * <p>
 * The watch is set and removed by asynchronous requests, which the client sends in this
 * order. A blocking call of Curator that is interrupted before its reply would leave a
 * watch that Curator does not know, and that would stay as long as the node.
 */
final class PredecessorWatcher implements Watcher {

	private final ZooKeeperSessionClient zooKeeper;

	private volatile CompletableFuture<Code> change = new CompletableFuture<>();

	private @Nullable ZooKeeper session;

	private String fullPath = "";

	PredecessorWatcher(ZooKeeperSessionClient zooKeeper) {
		this.zooKeeper = zooKeeper;
	}

	/**
	 * Waits until a node or the connection changes.
	 * @param path the path of the node, below the namespace
	 * @return whether the node is known to be deleted
	 * @throws InterruptedException if the thread is interrupted
	 * @throws KeeperException if the node cannot be watched
	 */
	boolean awaitChange(String path) throws Exception {
		ZooKeeper session = this.zooKeeper.session();
		if (session == null) {
			throw new KeeperException.SessionExpiredException();
		}
		CompletableFuture<Code> change = new CompletableFuture<>();
		this.change = change;
		this.session = session;
		this.fullPath = this.zooKeeper.fullPath(path);
		session.getData(this.fullPath, this, (code, node, context, data, stat) -> {
			if (code != Code.OK.intValue()) {
				change.complete(Code.get(code));
			}
		}, null);
		Code code = change.get();
		return switch (code) {
			case NONODE -> true;
			// The next listing shows what has happened to the node.
			case OK, CONNECTIONLOSS, SESSIONEXPIRED -> false;
			default -> throw KeeperException.create(code, this.fullPath);
		};
	}

	@Override
	public void process(WatchedEvent event) {
		this.change.complete((event.getType() == EventType.NodeDeleted) ? Code.NONODE : Code.OK);
	}

	/**
	 * Removes the watch. Never blocks.
	 */
	void stop() {
		if (this.session != null) {
			this.session.removeWatches(this.fullPath, this, WatcherType.Data, true, (code, node, context) -> {
			}, null);
		}
	}

}
