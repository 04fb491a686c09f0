package io.idempotent.lock.zookeeper;

import io.idempotent.lock.LockUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Curator's client, and the current state of its connection and session.
 */
final class ZooKeeperSessionClient {

	/** The session id of a client without a session. */
	static final long NO_SESSION = 0;

	private static final Log logger = LogFactory.getLog(ZooKeeperSessionClient.class);

	private final CuratorFramework client;

	private final NodeData data;

	/**
	 * Creates the client.
	 * @param client Curator's client
	 * @param node the name of this node, or an empty text
	 */
	ZooKeeperSessionClient(CuratorFramework client, String node) {
		this.client = client;
		this.data = new NodeData(node);
	}

	CuratorFramework client() {
		return this.client;
	}

	/**
	 * The data that this client writes into its nodes.
	 */
	NodeData data() {
		return this.data;
	}

	boolean isConnected() {
		return this.client.getState() == CuratorFrameworkState.STARTED
				&& this.client.getZookeeperClient().isConnected();
	}

	/**
	 * How long to wait for a reply.
	 * @return the time in milliseconds
	 */
	long replyTimeout() {
		return this.client.getZookeeperClient().getConnectionTimeoutMs();
	}

	/**
	 * The client of the current session, which changes when a session expires.
	 * @return the client, or {@code null} if there is none, as after a close
	 */
	@Nullable ZooKeeper session() {
		try {
			return this.client.getZookeeperClient().getZooKeeper();
		}
		catch (Exception ex) {
			logger.debug("There is no ZooKeeper session", ex);
			return null;
		}
	}

	/**
	 * Adds the namespace to a path, for the client of a session, which does not know it.
	 * @param path the path of a node, below the namespace
	 */
	String fullPath(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.fixForNamespace(namespace, path);
	}

	static long id(@Nullable ZooKeeper session) {
		return (session != null && session.getState().isAlive()) ? session.getSessionId() : NO_SESSION;
	}

	/**
	 * Deletes a node and waits for it. If this fails, it is deleted in the background.
	 * @param path the path of the node, below the namespace
	 */
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

	/**
	 * Deletes a node as soon as there is a connection. Never blocks. The node disappears
	 * anyway when its session ends.
	 * @param path the path of the node, below the namespace
	 */
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
