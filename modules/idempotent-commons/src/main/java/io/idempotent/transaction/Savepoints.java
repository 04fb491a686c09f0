package io.idempotent.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The savepoints of one transaction, and which points were undone by a rollback to one of
 * them. Points and savepoints share one clock. Safe for use by several threads.
 */
final class Savepoints {

	/** Weak, since nobody tells that a savepoint was released. */
	private final Map<Object, Long> times = new WeakHashMap<>();

	/** What was rolled back, the latest last; the intervals do not overlap. */
	private final Deque<Interval> undone = new ArrayDeque<>(1);

	private long clock;

	/**
	 * Marks a point.
	 * @return its time
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
	 * Undoes what was marked after a savepoint. One that is not known was set before
	 * anything was marked.
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
