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
 * The servers, as the client sees them right now.
 */
final class ZooKeeperSessionClient {

	/** What a connection has that was never made, and no session. */
	static final long NO_SESSION = 0;

	private static final Log logger = LogFactory.getLog(ZooKeeperSessionClient.class);

	private final CuratorFramework client;

	ZooKeeperSessionClient(CuratorFramework client) {
		this.client = client;
	}

	CuratorFramework client() {
		return this.client;
	}

	boolean isConnected() {
		return this.client.getState() == CuratorFrameworkState.STARTED
				&& this.client.getZookeeperClient().isConnected();
	}

	/**
	 * How long an answer may take.
	 * @return the time in milliseconds
	 */
	long patience() {
		return this.client.getZookeeperClient().getConnectionTimeoutMs();
	}

	/**
	 * The client of the session of this moment: one that has expired is followed by
	 * another.
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
	 * Where a node is for a client of a session, which knows no namespace.
	 * @param path where the node is, below the namespace
	 * @return the path
	 */
	String fullPath(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.fixForNamespace(namespace, path);
	}

	static long id(@Nullable ZooKeeper session) {
		return (session != null && session.getState().isAlive()) ? session.getSessionId() : NO_SESSION;
	}

	/**
	 * Deletes a node as soon as the servers can be asked, unless its session ends before.
	 * Never blocks.
	 * @param path where the node is, below the namespace
	 */
	void deleteInBackground(String path) {
		try {
			this.client.delete().guaranteed().inBackground().forPath(path);
		}
		catch (Exception ex) {
			logger.warn("The lock node " + path + " cannot be deleted and stays until its session ends", ex);
		}
	}

	LockUnavailableException unavailable(String what, String lock, String why, @Nullable Throwable cause) {
		return new LockUnavailableException("The lock engine 'zookeeper' could not " + what + " the lock '" + lock
				+ "': " + why + "; check the ZooKeeper servers "
				+ this.client.getZookeeperClient().getCurrentConnectionString(), cause);
	}

}
