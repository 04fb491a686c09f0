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
	 * Gives the lock back, now or later on the same thread.
	 * @param lock the lock
	 * @throws LockLostException if it is given back now and was lost
	 */
	void unlock(Lock lock);

}
