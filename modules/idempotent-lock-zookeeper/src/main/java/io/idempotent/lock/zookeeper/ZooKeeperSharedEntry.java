package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** An entry as the data of a node, read and written by one request each. */
final class ZooKeeperSharedEntry implements SharedEntry {

	private final ZooKeeperSessionClient zooKeeper;

	private final String path;

	ZooKeeperSharedEntry(ZooKeeperSessionClient zooKeeper, String path) {
		this.zooKeeper = zooKeeper;
		this.path = path;
	}

	@Override
	public Value read() {
		try {
			Stat stat = new Stat();
			byte[] data = client().getData().storingStatIn(stat).forPath(this.path);
			// The version of a node starts at 0, which here means that there is no entry.
			return new Value(stat.getVersion() + 1L, new String(data, StandardCharsets.UTF_8));
		}
		catch (KeeperException.NoNodeException ex) {
			return Value.ABSENT;
		}
		catch (Exception ex) {
			throw failed("read", ex);
		}
	}

	@Override
	public boolean write(long version, String text) {
		byte[] data = text.getBytes(StandardCharsets.UTF_8);
		try {
			if (version == 0) {
				client().create().creatingParentsIfNeeded().forPath(this.path, data);
			}
			else {
				client().setData().withVersion(Math.toIntExact(version - 1)).forPath(this.path, data);
			}
			return true;
		}
		catch (KeeperException.NodeExistsException | KeeperException.NoNodeException
				| KeeperException.BadVersionException ex) {
			return false;
		}
		catch (Exception ex) {
			throw failed("write", ex);
		}
	}

	private CuratorFramework client() {
		if (!this.zooKeeper.isConnected()) {
			throw new LockUnavailableException("There is no connection to the ZooKeeper servers "
					+ this.zooKeeper.client().getZookeeperClient().getCurrentConnectionString(), null);
		}
		return this.zooKeeper.client();
	}

	private LockUnavailableException failed(String what, Exception ex) {
		if (ex instanceof LockUnavailableException unavailable) {
			return unavailable;
		}
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		return new LockUnavailableException("ZooKeeper did not " + what + " the node " + this.path
				+ ", which names the lock engine in force: " + ex.getMessage(), ex);
	}

}
