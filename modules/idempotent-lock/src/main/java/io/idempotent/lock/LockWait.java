package io.idempotent.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Waits for a lock, and throws if it is not obtained.
 */
final class LockWait {

	private LockWait() {
	}

	/**
	 * Acquires a lock.
	 * @param names its names, for the message
	 * @param lock the lock
	 * @param wait how long to wait; zero or less asks once
	 * @throws LockNotObtainedException if the lock is not free in time, or the thread is
	 * interrupted meanwhile; it is still interrupted then
	 */
	static void obtain(List<String> names, Lock lock, Duration wait) {
		try {
			if (!tryLock(lock, wait)) {
				throw new LockNotObtainedException(names, wait, null);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockNotObtainedException(names, wait, ex);
		}
	}

	/**
	 * An interrupt ends the wait for a lock, but a free lock is still acquired.
	 */
	private static boolean tryLock(Lock lock, Duration wait) throws InterruptedException {
		if (wait.isNegative() || wait.isZero()) {
			return lock.tryLock();
		}
		if (!Thread.currentThread().isInterrupted()) {
			try {
				return lock.tryLock(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				return acquireFree(lock, ex);
			}
		}
		if (lock.tryLock()) {
			return true;
		}
		Thread.interrupted();
		throw new InterruptedException();
	}

	private static boolean acquireFree(Lock lock, InterruptedException interrupt) throws InterruptedException {
		try {
			if (lock.tryLock()) {
				Thread.currentThread().interrupt();
				return true;
			}
		}
		catch (LockUnavailableException ex) {
			interrupt.addSuppressed(ex);
		}
		throw interrupt;
	}

}
