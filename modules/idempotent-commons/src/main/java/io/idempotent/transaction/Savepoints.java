package io.idempotent.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The savepoints of one transaction, and which {@link TransactionPoint points} were
 * undone by a rollback to one of them. Points and savepoints are numbered by one counter.
 * Safe for use by several threads.
 */
final class Savepoints {

	/** Weak, since the release of a savepoint is not observed. */
	private final Map<Object, Long> times = new WeakHashMap<>();

	/** Intervals that were rolled back, the latest last; they do not overlap. */
	private final Deque<Interval> undone = new ArrayDeque<>(1);

	private long clock;

	/**
	 * Marks a point.
	 */
	synchronized long mark() {
		return ++this.clock;
	}

	synchronized void set(Object savepoint) {
		this.times.put(savepoint, ++this.clock);
	}

	synchronized boolean isSet(Object savepoint) {
		return this.times.containsKey(savepoint);
	}

	/**
	 * Undoes all points after a savepoint. An unknown savepoint was set before the first
	 * point.
	 * @param savepoint the savepoint
	 */
	synchronized void rollBackTo(Object savepoint) {
		long from = this.times.getOrDefault(savepoint, 0L);
		while (!this.undone.isEmpty() && this.undone.getLast().from() >= from) {
			this.undone.removeLast();
		}
		this.undone.addLast(new Interval(from, this.clock));
	}

	synchronized boolean isUndone(long time) {
		for (Interval interval : this.undone) {
			if (interval.from() < time && time <= interval.to()) {
				return true;
			}
		}
		return false;
	}

	private record Interval(long from, long to) {
	}

}
