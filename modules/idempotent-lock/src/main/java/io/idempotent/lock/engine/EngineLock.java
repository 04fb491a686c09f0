package io.idempotent.lock.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockOptions;

/**
 * A handle to the lock of a name.
 */
final class EngineLock implements DistributedLock, DeferrableLock {

	private final String name;

	private final String qualifiedName;

	private final LockOptions options;

	private final LockDefaults terms;

	private final LockAcquisition sections;

	EngineLock(String name, String qualifiedName, LockOptions options, LockDefaults terms, LockAcquisition sections) {
		this.name = name;
		this.qualifiedName = qualifiedName;
		this.options = options;
		this.terms = terms;
		this.sections = sections;
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
	public boolean isHeldByCurrentThread() {
		return holdCount() > 0;
	}

	@Override
	public int holdCount() {
		HeldLock hold = this.sections.find(this.name);
		return (hold != null && hold.isValid()) ? hold.count() : 0;
	}

	@Override
	public long fencingToken() {
		HeldLock hold = this.sections.require(this.name);
		if (hold.isLost() || hold.hasEnded()) {
			throw LockAcquisition.lost(hold);
		}
		return hold.grant().token();
	}

	@Override
	public boolean isValid() {
		HeldLock hold = this.sections.find(this.name);
		return hold != null && hold.isValid();
	}

	@Override
	public void onLoss(LockListener listener) {
		HeldLock hold = this.sections.require(this.name);
		if (!hold.onLoss(listener)) {
			LockListeners.tell(listener, hold.event(LockEvent.Type.LOST));
		}
	}

	@Override
	public void lock() {
		enterUninterruptibly(Deadline.NEVER);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		enterInterruptibly(Deadline.NEVER);
	}

	@Override
	public boolean tryLock() {
		return enterUninterruptibly(Deadline.NOW);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return enterInterruptibly(Deadline.in(unit.toNanos(time)));
	}

	/**
	 * Whether the current thread has locked and not given back, whether it has lost the
	 * lock or not.
	 * @return whether it is inside the section
	 */
	boolean isInside() {
		return this.sections.find(this.name) != null;
	}

	@Override
	public void unlock() {
		this.sections.leave(this.sections.require(this.name));
	}

	@Override
	public Runnable deferredUnlock() {
		HeldLock hold = this.sections.require(this.name);
		return () -> this.sections.leave(hold);
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException(
				"The lock '" + this.name + "' has no conditions: none waits across nodes");
	}

	@Override
	public String toString() {
		return "DistributedLock[" + this.name + "]";
	}

	private AcquireRequest wish(boolean interruptible) {
		return new AcquireRequest(this.name, this.qualifiedName, this.options, this.terms, interruptible);
	}

	private boolean enterInterruptibly(Deadline deadline) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return this.sections.enter(wish(true), deadline);
	}

	/**
	 * Gate and engine wait through interrupts by themselves, so that the thread keeps its
	 * turn. An engine that cannot is asked again.
	 */
	private boolean enterUninterruptibly(Deadline deadline) {
		AcquireRequest wish = wish(false);
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return this.sections.enter(wish, deadline);
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
