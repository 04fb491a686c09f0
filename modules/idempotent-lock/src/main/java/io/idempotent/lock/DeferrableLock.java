package io.idempotent.lock;

import java.util.concurrent.locks.Lock;

/** A lock whose release can be deferred, and done by another thread. */
public interface DeferrableLock extends Lock {

	/**
	 * Prepares the unlock of the current thread's lock. Until it is run, the thread holds
	 * the lock as before and may enter it again.
	 * @return the unlock, to be run once on any thread; throws a
	 * {@link LockLostException} if the lock was lost before
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 */
	Runnable deferredUnlock();

}
