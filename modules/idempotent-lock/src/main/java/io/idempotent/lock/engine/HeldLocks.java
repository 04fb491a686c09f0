package io.idempotent.lock.engine;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds. A thread holds few locks, so a list that is searched from its
 * end beats a map; it is gone when the last hold is. A hold that another thread has given
 * back is no longer found here, and is dropped with the next look at all of them.
 */
final class HeldLocks {

	/**
	 * Not static: what is held belongs to these locks, and others may live beside them.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<HeldLock>> holds = new ThreadLocal<>();

	@Nullable HeldLock find(String name) {
		List<HeldLock> mine = this.holds.get();
		if (mine != null) {
			for (int i = mine.size() - 1; i >= 0; i--) {
				HeldLock hold = mine.get(i);
				if (hold.name().equals(name) && !hold.isLeft()) {
					return hold;
				}
			}
		}
		return null;
	}

	List<HeldLock> all() {
		List<HeldLock> mine = dropLeft();
		return (mine != null) ? List.copyOf(mine) : List.of();
	}

	void add(HeldLock hold) {
		List<HeldLock> mine = dropLeft();
		if (mine == null) {
			mine = new ArrayList<>(2);
			this.holds.set(mine);
		}
		mine.add(hold);
	}

	void remove(HeldLock hold) {
		List<HeldLock> mine = this.holds.get();
		if (mine != null && mine.remove(hold) && mine.isEmpty()) {
			this.holds.remove();
		}
	}

	private @Nullable List<HeldLock> dropLeft() {
		List<HeldLock> mine = this.holds.get();
		if (mine != null && mine.removeIf(HeldLock::isLeft) && mine.isEmpty()) {
			this.holds.remove();
			return null;
		}
		return mine;
	}

}
