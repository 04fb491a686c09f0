package io.idempotent.lock;

import java.util.concurrent.locks.Lock;

/**
 * A lock that its holder can leave to another thread to give back.
 */
public interface DeferrableLock extends Lock {

	/**
	 * Prepares to give back what the current thread has locked. Until that is done, the
	 * thread holds the lock as before and may enter it again.
	 * @return takes back one entry, on any thread; to be run once. Throws a
	 * {@link LockLostException} if the lock was lost before
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 */
	Runnable deferredUnlock();

}
