package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.logging.DurationText;

/**
 * A handle to the lock of a name.
 */
final class EngineLock implements DistributedLock, DeferrableLock {

	private static final Duration LONGEST_EXTENSION = Duration.ofDays(365);

	private final String name;

	private final String qualifiedName;

	private final LockOptions options;

	private final LockDefaults defaults;

	private final LockAcquisition acquisition;

	EngineLock(String name, String qualifiedName, LockOptions options, LockDefaults defaults,
			LockAcquisition acquisition) {
		this.name = name;
		this.qualifiedName = qualifiedName;
		this.options = defaults.settings().options(name, options);
		this.defaults = defaults;
		this.acquisition = acquisition;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String qualifiedName() {
		return this.qualifiedName;
	}

	@Override
	public String fenceName() {
		return this.acquisition.fenceName(this.acquisition.require(this.name, mode()), this.qualifiedName);
	}

	@Override
	public LockMode mode() {
		return this.options.mode();
	}

	@Override
	public boolean isHeldByCurrentThread() {
		return holdCount() > 0;
	}

	@Override
	public int holdCount() {
		HeldLock held = this.acquisition.find(this.name, mode());
		return (held != null && held.isValid()) ? held.count() : 0;
	}

	@Override
	public long fencingToken() {
		if (mode() == LockMode.READ) {
			throw new UnsupportedOperationException("The read lock '" + this.name
					+ "' has no fencing token, since its readers are in no order: take the write lock to write");
		}
		HeldLock held = this.acquisition.require(this.name, mode());
		if (held.isLost() || held.hasEnded()) {
			throw held.lostException();
		}
		return held.token();
	}

	@Override
	public boolean isValid() {
		HeldLock held = this.acquisition.find(this.name, mode());
		return held != null && held.isValid();
	}

	@Override
	public void onLoss(LockListener listener) {
		HeldLock held = this.acquisition.require(this.name, mode());
		if (!held.onLoss(listener)) {
			LockListeners.publish(listener, held.event(LockEvent.Type.LOST));
		}
	}

	@Override
	public void extend(Duration time) {
		if (time.isNegative() || time.isZero() || time.compareTo(LONGEST_EXTENSION) > 0) {
			throw new IllegalArgumentException("The lock '" + this.name + "' cannot be extended by "
					+ DurationText.of(time) + ": give a positive time of a year at most");
		}
		this.acquisition.extend(this.acquisition.require(this.name, mode()), time);
	}

	@Override
	public void lock() {
		acquireUninterruptibly(Deadline.NEVER);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		acquireInterruptibly(Deadline.NEVER);
	}

	@Override
	public boolean tryLock() {
		return acquireUninterruptibly(Deadline.NOW);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return acquireInterruptibly(Deadline.in(unit.toNanos(time)));
	}

	/**
	 * Whether the current thread has acquired the lock and not released it, even if it
	 * has lost it meanwhile.
	 * @return whether the thread has to call {@code unlock}
	 */
	boolean isToBeUnlocked() {
		return this.acquisition.find(this.name, mode()) != null;
	}

	@Override
	public void unlock() {
		this.acquisition.release(this.acquisition.require(this.name, mode()));
	}

	@Override
	public Runnable deferredUnlock() {
		HeldLock held = this.acquisition.require(this.name, mode());
		return () -> this.acquisition.release(held);
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"The lock '" + this.name + "' has no conditions: a condition cannot be awaited across nodes");
	}

	@Override
	public String toString() {
		return "DistributedLock[" + this.name + ((mode() == LockMode.READ) ? ", READ]" : "]");
	}

	private AcquireRequest request(boolean interruptible) {
		return new AcquireRequest(this.name, this.qualifiedName, this.options, this.defaults, interruptible);
	}

	private boolean acquireInterruptibly(Deadline deadline) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return this.acquisition.acquire(request(true), deadline);
	}

	/**
	 * The local queue and the engines ignore interrupts if the request is not
	 * interruptible, so that the thread keeps its place. An engine that cannot ignore
	 * them is asked again.
	 */
	private boolean acquireUninterruptibly(Deadline deadline) {
		AcquireRequest request = request(false);
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return this.acquisition.acquire(request, deadline);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
