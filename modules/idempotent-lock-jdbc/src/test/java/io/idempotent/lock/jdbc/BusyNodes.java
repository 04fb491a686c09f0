package io.idempotent.lock.jdbc;

import java.util.ArrayList;
import java.util.List;

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

	private final List<Long> turns = new ArrayList<>();

	private int present = -1;

	private long since;

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
		return this.turns.size() >= TURNS && (smallerShare() >= SHARE || this.turns.size() >= MOST_TURNS);
	}

	private synchronized void count(int node) {
		this.entries[node]++;
		if (node != this.present) {
			long now = System.nanoTime();
			if (this.present >= 0) {
				this.turns.add(now - this.since);
			}
			this.present = node;
			this.since = now;
		}
	}

	synchronized double smallerShare() {
		return (double) Math.min(this.entries[0], this.entries[1]) / (this.entries[0] + this.entries[1]);
	}

	synchronized long medianTurnInMillis() {
		return this.turns.stream().sorted().toList().get(this.turns.size() / 2) / 1_000_000;
	}

}
