package io.idempotent.lock.zookeeper;

import java.util.concurrent.CompletableFuture;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Watches the node before that of a contender, on whose thread it is used; events arrive
 * on the thread of the ZooKeeper client. Asynchronous requests set and remove the watch,
 * in this order: an interrupted blocking call of Curator would leave a watch that Curator
 * does not know, for as long as the node.
 */
final class PredecessorWatcher implements Watcher {

	private final ZooKeeperSessionClient zooKeeper;

	private volatile @Nullable Watch current;

	private @Nullable ZooKeeper session;

	PredecessorWatcher(ZooKeeperSessionClient zooKeeper) {
		this.zooKeeper = zooKeeper;
	}

	/**
	 * Completes when a node or the connection changes: with whether the node is known to
	 * be gone.
	 */
	CompletableFuture<Boolean> watch(String fullPath) throws SessionExpiredException {
		ZooKeeper session = this.zooKeeper.session();
		if (session == null) {
			throw new SessionExpiredException();
		}
		Watch watch = new Watch(fullPath, this.zooKeeper.untilClosed(new CompletableFuture<>()));
		this.current = watch;
		this.session = session;
		session.getData(watch.fullPath(), this, (code, node, context, data, stat) -> {
			if (code != Code.OK.intValue()) {
				fail(watch, Code.get(code));
			}
		}, null);
		return watch.change();
	}

	private static void fail(Watch watch, Code code) {
		switch (code) {
			case NONODE -> watch.change().complete(true);
			// The next list shows what has happened to the node.
			case CONNECTIONLOSS, SESSIONEXPIRED -> watch.change().complete(false);
			default -> watch.change().completeExceptionally(KeeperException.create(code, watch.fullPath()));
		}
	}

	/**
	 * A change of the connection ends a wait, but not its watch, so that the event of a
	 * former node may arrive while the next one is watched.
	 */
	@Override
	public void process(WatchedEvent event) {
		Watch watch = this.current;
		if (watch != null) {
			boolean deleted = event.getType() == EventType.NodeDeleted && watch.fullPath().equals(event.getPath());
			watch.change().complete(deleted);
		}
	}

	/** Never blocks. */
	void stop() {
		Watch watch = this.current;
		if (this.session != null && watch != null) {
			watch.change().cancel(false);
			this.session.removeWatches(watch.fullPath(), this, WatcherType.Data, true, (code, node, context) -> {
			}, null);
		}
	}

	/** The change completes with the first event. */
	private record Watch(String fullPath, CompletableFuture<Boolean> change) {
	}

}
