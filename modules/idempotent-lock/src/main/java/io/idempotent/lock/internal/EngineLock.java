package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.logging.DurationText;

/** A handle to a lock, without state. The options may leave the lease open. */
record EngineLock(String name, String qualifiedName, LockOptions options, Duration lease,
		ThreadLocks locks) implements DistributedLock, DeferrableLock {

	private static final Duration LONGEST_EXTENSION = Duration.ofDays(365);

	@Override
	public String fenceName() {
		HeldLock held = held();
		return this.locks.isOfEngineInForce(held) ? this.qualifiedName
				: this.qualifiedName + " (" + held.engine().name() + ")";
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
		HeldLock held = this.locks.find(this.name, mode());
		return (held != null && held.isValid()) ? held.count(mode()) : 0;
	}

	@Override
	public long fencingToken() {
		if (mode() == LockMode.READ) {
			throw new UnsupportedOperationException("The read lock '" + this.name
					+ "' has no fencing token, since its readers are in no order: take the write lock to write");
		}
		HeldLock held = held();
		if (held.isOver()) {
			throw held.lostException();
		}
		return held.token();
	}

	@Override
	public boolean isValid() {
		return isHeldByCurrentThread();
	}

	@Override
	public void onLoss(LockListener listener) {
		HeldLock held = held();
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
		this.locks.extend(held(), time);
	}

	@Override
	public void lock() {
		acquireUninterruptibly(true);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		acquireInterruptibly(QueuedRequest.FOREVER);
	}

	@Override
	public boolean tryLock() {
		return acquireUninterruptibly(false);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return acquireInterruptibly(unit.toNanos(time));
	}

	/** Even if the current thread has lost it meanwhile. */
	boolean isToBeUnlocked() {
		return this.locks.find(this.name, mode()) != null;
	}

	@Override
	public void unlock() {
		this.locks.leave(held(), mode());
	}

	@Override
	public Runnable deferredUnlock() {
		HeldLock held = held();
		return () -> this.locks.leave(held, mode());
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

	private HeldLock held() {
		return this.locks.require(this.name, mode());
	}

	private QueuedRequest request(boolean interruptible, long wait) {
		Duration longest = this.options.holdAtMost();
		Duration lease = (longest != null && longest.compareTo(this.lease) < 0) ? longest : this.lease;
		return new QueuedRequest(this.name, this.options, new LockRequest(this.qualifiedName, mode(), lease,
				this.options.fair(), interruptible, LockRequest.NEVER_CANCELLED), wait);
	}

	boolean acquireInterruptibly(long wait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return this.locks.acquire(request(true, wait));
	}

	/**
	 * The queue and the engines ignore interrupts, so that the thread keeps its place; an
	 * engine that cannot is asked again. Waits without a limit or not at all: a deadline
	 * would start again with each request.
	 */
	private boolean acquireUninterruptibly(boolean waits) {
		return InterruptibleWait.uninterruptibly((wait) -> {
			while (true) {
				try {
					return this.locks.acquire(request(false, waits ? QueuedRequest.FOREVER : 0));
				}
				catch (InterruptedException ex) {
					wait.interrupted(ex);
				}
			}
		});
	}

}
