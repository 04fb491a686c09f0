package io.idempotent.lock.zookeeper;

import java.nio.charset.StandardCharsets;

import io.idempotent.lock.engine.SharedEntry;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** An entry as the data of a node, read and written by one request each. */
record ZooKeeperSharedEntry(ZooKeeperSessionClient zooKeeper, String path) implements SharedEntry {

	@Override
	public Value read() {
		return this.zooKeeper.call("read " + this, () -> {
			try {
				Stat stat = new Stat();
				byte[] data = this.zooKeeper.client().getData().storingStatIn(stat).forPath(this.path);
				// The version of a node starts at 0, which here means that there is no
				// entry.
				return new Value(stat.getVersion() + 1L, new String(data, StandardCharsets.UTF_8));
			}
			catch (KeeperException.NoNodeException ex) {
				return Value.ABSENT;
			}
		});
	}

	@Override
	public boolean write(long version, String text) {
		byte[] data = text.getBytes(StandardCharsets.UTF_8);
		CuratorFramework client = this.zooKeeper.client();
		return this.zooKeeper.call("write " + this, () -> {
			try {
				if (version == 0) {
					client.create().creatingParentsIfNeeded().forPath(this.path, data);
				}
				else {
					client.setData().withVersion(Math.toIntExact(version - 1)).forPath(this.path, data);
				}
				return true;
			}
			catch (KeeperException.NodeExistsException | KeeperException.NoNodeException
					| KeeperException.BadVersionException ex) {
				return false;
			}
		});
	}

	@Override
	public String toString() {
		return "the node " + this.path + ", which names the lock engine in force";
	}

}
