package io.idempotent.lock;

import java.util.concurrent.locks.Lock;

/**
 * When a section that has ended gives its lock back.
 */
@FunctionalInterface
public interface UnlockTiming {

	/** At once. */
	UnlockTiming IMMEDIATE = Lock::unlock;

	/**
	 * Gives the lock back, now or later. What {@link Lock#unlock()} gives back is what
	 * the current thread holds; a later unlock on another thread takes a
	 * {@link DeferrableLock}.
	 * @param lock the lock
	 * @throws LockLostException if it is given back now and was lost
	 */
	void unlock(Lock lock);

}
