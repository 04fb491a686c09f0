package io.idempotent.lock.engine;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds. A thread holds few locks, so a list that is searched from its
 * end beats a map; it is gone when the last hold is.
 */
final class HoldTable {

	/**
	 * Not static: what is held belongs to these locks, and others may live beside them.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<Hold>> holds = new ThreadLocal<>();

	@Nullable Hold find(String name) {
		List<Hold> mine = this.holds.get();
		if (mine != null) {
			for (int i = mine.size() - 1; i >= 0; i--) {
				if (mine.get(i).name().equals(name)) {
					return mine.get(i);
				}
			}
		}
		return null;
	}

	List<Hold> all() {
		List<Hold> mine = this.holds.get();
		return (mine != null) ? List.copyOf(mine) : List.of();
	}

	void add(Hold hold) {
		List<Hold> mine = this.holds.get();
		if (mine == null) {
			mine = new ArrayList<>(2);
			this.holds.set(mine);
		}
		mine.add(hold);
	}

	void remove(Hold hold) {
		List<Hold> mine = this.holds.get();
		if (mine != null) {
			mine.remove(hold);
			if (mine.isEmpty()) {
				this.holds.remove();
			}
		}
	}

}
