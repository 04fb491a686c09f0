package io.idempotent.lock.jdbc;

import io.idempotent.lock.DistributedLock;

/**
 * Counts the turns of two nodes whose threads want the same lock and never pause. A turn
 * is a series of entries of one node.
 */
final class BusyNodes {

	static final int TURNS = 20;

	/** Several times those of turns of 80 ms, and a fraction of those without turns. */
	private static final int MOST_ENTRIES = TURNS * 5000;

	private int entries;

	private int turns;

	private int present = -1;

	/**
	 * Enters again and again, until both nodes have had several turns.
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
		return this.turns >= TURNS || this.entries >= MOST_ENTRIES;
	}

	private synchronized void count(int node) {
		this.entries++;
		if (node != this.present) {
			this.present = node;
			this.turns++;
		}
	}

	synchronized int turns() {
		return this.turns;
	}

}
