package io.idempotent.lock.zookeeper;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Curator's client, and the current state of its connection and session. */
final class ZooKeeperSessionClient {

	static final long NO_SESSION = 0;

	private static final Log logger = LogFactory.getLog(ZooKeeperSessionClient.class);

	private final CuratorFramework client;

	private final NodeFormat format;

	/** The name of this node may be empty. */
	ZooKeeperSessionClient(CuratorFramework client, String node) {
		this.client = client;
		this.format = new NodeFormat(node);
	}

	CuratorFramework client() {
		return this.client;
	}

	NodeFormat format() {
		return this.format;
	}

	boolean isConnected() {
		return this.client.getState() == CuratorFrameworkState.STARTED
				&& this.client.getZookeeperClient().isConnected();
	}

	/** How long to wait for a reply, in milliseconds. */
	long replyTimeout() {
		return this.client.getZookeeperClient().getConnectionTimeoutMs();
	}

	/** Changes when a session expires; null if there is none, as after a close. */
	@Nullable ZooKeeper session() {
		try {
			return this.client.getZookeeperClient().getZooKeeper();
		}
		catch (Exception ex) {
			logger.debug("There is no ZooKeeper session", ex);
			return null;
		}
	}

	/** For the client of a session, which does not know the namespace. */
	String fullPath(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.fixForNamespace(namespace, path);
	}

	static long id(@Nullable ZooKeeper session) {
		return (session != null && session.getState().isAlive()) ? session.getSessionId() : NO_SESSION;
	}

	/** Waits for the deletion. If this fails, the node is deleted in the background. */
	void delete(String path) {
		try {
			this.client.delete().guaranteed().forPath(path);
		}
		catch (Exception ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			logger.debug("The lock node " + path + " is deleted later", ex);
		}
	}

	/** Never blocks. The node disappears anyway when its session ends. */
	void deleteInBackground(String path) {
		try {
			this.client.delete().guaranteed().inBackground().forPath(path);
		}
		catch (Exception ex) {
			logger.warn("The lock node " + path + " cannot be deleted and remains until its session ends", ex);
		}
	}

	LockUnavailableException unavailable(String what, String lock, String why, @Nullable Throwable cause) {
		return new LockUnavailableException("The lock engine 'zookeeper' could not " + what + " the lock '" + lock
				+ "': " + why + "; check the ZooKeeper servers "
				+ this.client.getZookeeperClient().getCurrentConnectionString(), cause);
	}

}
