package io.idempotent.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * An entry of the current thread into a {@link DistributedLock}, which {@link #close()
 * ends} with a {@code try} statement. Belongs to the thread that acquired it, like the
 * lock.
 */
public final class AcquiredLock implements AutoCloseable {

	private final DistributedLock lock;

	private final Thread thread = Thread.currentThread();

	private boolean closed;

	private AcquiredLock(DistributedLock lock) {
		this.lock = lock;
	}

	static AcquiredLock of(DistributedLock lock, Duration wait) {
		obtain(List.of(lock.name()), lock, wait);
		return new AcquiredLock(lock);
	}

	/** An interrupted thread is still interrupted when this throws. */
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

	/** An interrupt ends the wait for a lock, but a free lock is still acquired. */
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

	/** The name of the lock. */
	public String name() {
		return this.lock.name();
	}

	/** Whether the current thread still holds the lock. */
	public boolean isValid() {
		return this.lock.isValid();
	}

	/**
	 * The fencing token of the grant, see {@link DistributedLock#fencingToken()}.
	 * @throws IllegalMonitorStateException if the current thread is not the holder; a
	 * {@link LockLostException} if it was
	 */
	public long fencingToken() {
		return this.lock.fencingToken();
	}

	/**
	 * Lets the lock be held longer.
	 * @param time how long from now at least, see
	 * {@link DistributedLock#extend(Duration)}
	 * @throws LockLostException if the lock is lost
	 */
	public void extend(Duration time) {
		this.lock.extend(time);
	}

	/**
	 * Unlocks, as {@link DistributedLock#unlock()} does. A repeated call has no effect.
	 * @throws LockLostException if the lock was lost meanwhile
	 * @throws IllegalMonitorStateException if another thread than the one that acquired
	 * the lock calls this; then the lock stays held
	 */
	@Override
	public void close() {
		if (Thread.currentThread() != this.thread) {
			throw new IllegalMonitorStateException(this.lock + " was acquired by the thread " + this.thread.getName()
					+ ", which has to close it, but this is " + Thread.currentThread().getName());
		}
		if (!this.closed) {
			this.closed = true;
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return this.lock.toString();
	}

}
