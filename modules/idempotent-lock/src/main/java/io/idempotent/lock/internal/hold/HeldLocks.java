package io.idempotent.lock.internal.hold;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;

/**
 * The locks of each thread. A thread holds few locks, so that a list is faster than a
 * map; it is removed together with the last lock. A lock that another thread has released
 * is no longer found, and is dropped the next time the list changes.
 */
public final class HeldLocks {

	/** Not static: several nodes may exist in one JVM. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<HeldLock>> heldLocks = new ThreadLocal<>();

	public @Nullable HeldLock find(String name, LockMode mode) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null) {
			for (int i = locks.size() - 1; i >= 0; i--) {
				HeldLock held = locks.get(i);
				if (held.name().equals(name) && held.mode() == mode && !held.state().isLeft()) {
					return held;
				}
			}
		}
		return null;
	}

	public List<HeldLock> all() {
		List<HeldLock> locks = dropLeft();
		return (locks != null) ? List.copyOf(locks) : List.of();
	}

	/** The valid grants of the current thread. */
	public List<LockGrant> grants() {
		return all().stream().filter(HeldLock::isValid).map(HeldLock::grant).toList();
	}

	public void add(HeldLock held) {
		List<HeldLock> locks = dropLeft();
		if (locks == null) {
			locks = new ArrayList<>(2);
			this.heldLocks.set(locks);
		}
		locks.add(held);
	}

	public void remove(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null && locks.remove(held) && locks.isEmpty()) {
			this.heldLocks.remove();
		}
	}

	private @Nullable List<HeldLock> dropLeft() {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null && locks.removeIf((held) -> held.state().isLeft()) && locks.isEmpty()) {
			this.heldLocks.remove();
			return null;
		}
		return locks;
	}

}
