package io.idempotent.lock;

import java.util.concurrent.locks.Lock;

/**
 * When a lock is released after the code under it has ended.
 */
@FunctionalInterface
public interface UnlockTiming {

	/** At once. */
	UnlockTiming IMMEDIATE = Lock::unlock;

	/**
	 * Releases the lock, now or later. {@link Lock#unlock()} releases the lock of the
	 * current thread; for a later release on another thread use a {@link DeferrableLock}.
	 * @param lock the lock
	 * @throws LockLostException if it is released now and was lost
	 */
	void unlock(Lock lock);

}
