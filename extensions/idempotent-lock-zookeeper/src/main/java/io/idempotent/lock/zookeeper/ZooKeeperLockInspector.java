package io.idempotent.lock.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;

/** Finds the holders of a lock among its nodes, and takes the lock away from them. */
record ZooKeeperLockInspector(ZooKeeperSessionClient zooKeeper) {

	LockState inspect(String lock, String parent) {
		return this.zooKeeper.call("inspect the lock '" + lock + "'", () -> {
			List<String> nodes = nodes(parent);
			int holding = holding(nodes);
			List<LockHolder> holders = new ArrayList<>();
			for (String node : nodes.subList(0, Math.min(holding, LockState.MAX_HOLDERS))) {
				addHolder(holders, ZKPaths.makePath(parent, node));
			}
			return new LockState(holders, nodes.size() - holding, null);
		});
	}

	boolean forceRelease(String lock, String parent) {
		return this.zooKeeper.call("release the lock '" + lock + "'", () -> {
			List<String> nodes = nodes(parent);
			boolean released = false;
			for (String node : nodes.subList(0, holding(nodes))) {
				released |= delete(ZKPaths.makePath(parent, node));
			}
			return released;
		});
	}

	/** In the order in which they get the lock. */
	private List<String> nodes(String parent) throws Exception {
		try {
			return this.zooKeeper.client()
				.getChildren()
				.forPath(parent)
				.stream()
				.sorted(Comparator.comparing(NodeFormat::sequence))
				.toList();
		}
		catch (NoNodeException ex) {
			return List.of();
		}
	}

	/** One writer, or all readers up to the next writer. */
	private static int holding(List<String> nodes) {
		int readers = (int) nodes.stream().takeWhile(NodeFormat::isReader).count();
		return (readers == 0 && !nodes.isEmpty()) ? 1 : readers;
	}

	private void addHolder(List<LockHolder> holders, String path) throws Exception {
		try {
			Stat stat = new Stat();
			byte[] data = this.zooKeeper.client().getData().storingStatIn(stat).forPath(path);
			String name = ZKPaths.getNodeFromPath(path);
			boolean shared = NodeFormat.isReader(name);
			boolean thisNode = stat.getEphemeralOwner() == ZooKeeperSessionClient.id(this.zooKeeper.session());
			holders.add(new LockHolder(name, NodeFormat.holder(data), thisNode, shared ? LockMode.READ : LockMode.WRITE,
					shared ? null : stat.getCzxid(), null));
		}
		catch (NoNodeException ex) {
			// Released meanwhile.
		}
	}

	private boolean delete(String path) throws Exception {
		try {
			this.zooKeeper.client().delete().forPath(path);
			return true;
		}
		catch (NoNodeException ex) {
			return false;
		}
	}

}
