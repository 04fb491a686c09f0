package io.idempotent.lock.jdbc;

import io.idempotent.lock.DistributedLock;

/**
 * Counts the entries of two nodes whose threads want the same lock and never pause. A
 * turn is a series of entries of one node.
 */
final class BusyNodes {

	private static final int TURNS = 20;

	private static final int MOST_TURNS = 120;

	private static final double SHARE = 0.3;

	private final int[] entries = new int[2];

	private int turns;

	private int present = -1;

	/**
	 * Enters again and again, until both nodes have had several turns and their shares.
	 * @param node the node, 0 or 1
	 * @param lock the lock of that node
	 */
	void enter(int node, DistributedLock lock) {
		while (!isOver()) {
			lock.lock();
			count(node);
			lock.unlock();
		}
	}

	private synchronized boolean isOver() {
		return this.turns >= TURNS && (smallerShare() >= SHARE || this.turns >= MOST_TURNS);
	}

	private synchronized void count(int node) {
		this.entries[node]++;
		if (node != this.present) {
			this.present = node;
			this.turns++;
		}
	}

	synchronized double smallerShare() {
		return (double) Math.min(this.entries[0], this.entries[1]) / (this.entries[0] + this.entries[1]);
	}

}
