package io.idempotent.lock.engine;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds. A thread holds few locks, so a list that is searched from its
 * end beats a map; it is gone when the last hold is. A hold that another thread has given
 * back is no longer found here, and is dropped with the next look at all of them.
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
				Hold hold = mine.get(i);
				if (hold.name().equals(name) && !hold.isLeft()) {
					return hold;
				}
			}
		}
		return null;
	}

	List<Hold> all() {
		List<Hold> mine = dropLeft();
		return (mine != null) ? List.copyOf(mine) : List.of();
	}

	void add(Hold hold) {
		List<Hold> mine = dropLeft();
		if (mine == null) {
			mine = new ArrayList<>(2);
			this.holds.set(mine);
		}
		mine.add(hold);
	}

	void remove(Hold hold) {
		List<Hold> mine = this.holds.get();
		if (mine != null && mine.remove(hold) && mine.isEmpty()) {
			this.holds.remove();
		}
	}

	private @Nullable List<Hold> dropLeft() {
		List<Hold> mine = this.holds.get();
		if (mine != null && mine.removeIf(Hold::isLeft) && mine.isEmpty()) {
			this.holds.remove();
			return null;
		}
		return mine;
	}

}
