package io.idempotent.lock.internal.hold;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;

/**
 * The locks of each thread. A thread holds few, so that a list is faster than a map. A
 * lock that another thread or its transaction has released is dropped with the next one.
 */
final class HeldLocks {

	/** Not static: several nodes may exist in one JVM. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<HeldLock>> heldLocks = new ThreadLocal<>();

	@Nullable HeldLock find(String name, LockMode mode) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null) {
			for (int i = locks.size() - 1; i >= 0; i--) {
				HeldLock held = locks.get(i);
				if (held.name().equals(name) && held.mode() == mode && !held.state().hasNoEntries()) {
					return held;
				}
			}
		}
		return null;
	}

	List<HeldLock> all() {
		List<HeldLock> locks = this.heldLocks.get();
		return (locks != null) ? locks.stream().filter((held) -> !held.state().isFree()).toList() : List.of();
	}

	List<LockGrant> validGrants() {
		return all().stream().filter(HeldLock::isValid).map(HeldLock::grant).toList();
	}

	void add(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks == null) {
			locks = new ArrayList<>(2);
			this.heldLocks.set(locks);
		}
		locks.removeIf((former) -> former.state().isFree());
		locks.add(held);
	}

	void remove(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null && locks.remove(held) && locks.isEmpty()) {
			this.heldLocks.remove();
		}
	}

}
