package io.idempotent.lock;

import java.time.Duration;

/**
 * An entry of the current thread into a {@link DistributedLock}, which {@link #close()
 * ends} with a {@code try} statement. Belongs to the thread that acquired it, like the
 * lock.
 */
public final class AcquiredLock implements AutoCloseable {

	private final DistributedLock lock;

	private final Thread thread = Thread.currentThread();

	private boolean closed;

	AcquiredLock(DistributedLock lock) {
		this.lock = lock;
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
