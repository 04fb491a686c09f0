package io.idempotent.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The savepoints of one transaction, and which {@link TransactionScope.Point points} a
 * rollback to one undid. One counter numbers both. Safe for use by several threads.
 */
final class Savepoints {

	/** Weak, since the release of a savepoint is not observed; most have none. */
	private @Nullable Map<Object, Long> times;

	/** Intervals that were rolled back, the latest last; they do not overlap. */
	private final Deque<Interval> undone = new ArrayDeque<>(1);

	private long clock;

	synchronized long mark() {
		return ++this.clock;
	}

	synchronized void set(Object savepoint) {
		if (this.times == null) {
			this.times = new WeakHashMap<>();
		}
		this.times.put(savepoint, ++this.clock);
	}

	synchronized boolean isSet(Object savepoint) {
		return this.times != null && this.times.containsKey(savepoint);
	}

	/** An unknown savepoint was set before the first point. */
	synchronized void rollBackTo(Object savepoint) {
		long from = (this.times != null) ? this.times.getOrDefault(savepoint, 0L) : 0L;
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
