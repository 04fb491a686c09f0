package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread holds: how many entries the thread has, and whether it is held.
 *
 * <pre>
 * HELD ⇄ SUSPECT ──▶ LOST          by the clock, a renewal or the connection
 *   └───────┴──────▶ RELEASED      by the holder, or with its transaction
 * </pre>
 *
 * LOST and RELEASED are final. A lock is RELEASED before the engine is asked, which may
 * reply that it did not know the grant any more. A thread has still to leave each entry
 * of a lock that is lost, or was released with its transaction. Reading under a write
 * lock is an entry of the write lock, which is held until each entry was left.
 */
public final class HeldLock {

	private enum State {

		HELD, SUSPECT, LOST, RELEASED

	}

	private final String name;

	private final @Nullable LocalLockQueue queue;

	private final LockOptions options;

	private final long since = System.nanoTime();

	private final Thread thread = Thread.currentThread();

	/** Changed under the lock of this object. */
	private volatile int count = 1;

	/** The entries for reading under this write lock; changed as the others. */
	private volatile int reads;

	private volatile State state = State.HELD;

	/** Whether the loss has interrupted the thread. */
	private boolean interrupted;

	private List<LockListener> lossListeners = List.of();

	private final HeldLease lease;

	/**
	 * The next thread of the queue is admitted when the lock ends. A read lock has no
	 * queue, since it admits the next thread when it is granted.
	 */
	HeldLock(String name, @Nullable LocalLockQueue queue, HeldLease lease, LockOptions options) {
		this.name = name;
		this.queue = queue;
		this.options = options;
		this.lease = lease;
	}

	public String name() {
		return this.name;
	}

	public LockMode mode() {
		return this.options.mode();
	}

	@Nullable LocalLockQueue queue() {
		return this.queue;
	}

	void leaveQueue() {
		if (this.queue != null) {
			this.queue.leave(engine().queuesWaiters());
		}
	}

	/** The engine that has granted the lock. */
	public LockEngine engine() {
		return this.lease.engine();
	}

	LockGrant grant() {
		return this.lease.grant();
	}

	/** The fencing token; 0 of a read lock. */
	public long token() {
		return (mode() == LockMode.READ) ? 0 : grant().token();
	}

	/**
	 * For reading, if the thread has left the write lock but not the reading under it.
	 */
	LockOptions options() {
		return (this.count > 0) ? this.options : this.options.withMode(LockMode.READ);
	}

	HeldLease lease() {
		return this.lease;
	}

	/** How long it is valid without renewal; null if it has no end. */
	public @Nullable Long nanosLeft(long now) {
		return this.lease.nanosLeft(now);
	}

	public long nanosHeldAt(long now) {
		return now - this.since;
	}

	public boolean isValid() {
		return !isOver() && !this.lease.hasEnded(System.nanoTime()) && grant().isValid();
	}

	public Thread thread() {
		return this.thread;
	}

	boolean isOfCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	/** How often the thread has entered the lock in a mode. */
	int count(LockMode mode) {
		return (mode == mode()) ? this.count : this.reads;
	}

	boolean isLeft() {
		return this.count == 0 && this.reads == 0;
	}

	/** Whether each entry was left, or its transaction has released the lock. */
	boolean isFree() {
		return isLeft() || isReleased();
	}

	boolean isSuspect() {
		return this.state == State.SUSPECT;
	}

	boolean isLost() {
		return this.state == State.LOST;
	}

	boolean isReleased() {
		return this.state == State.RELEASED;
	}

	/** Lost or released. */
	boolean isOver() {
		return isLost() || isReleased();
	}

	/** False if there is nothing to enter again. */
	synchronized boolean enterAgain(LockMode mode) {
		if (count(mode) == Integer.MAX_VALUE) {
			throw new Error("Maximum lock count exceeded");
		}
		if (isLost()) {
			throw lostException();
		}
		if (isFree()) {
			return false;
		}
		add(mode, 1);
		return true;
	}

	/** Whether it was the last entry. There is none if a deferred unlock runs twice. */
	synchronized boolean leave(LockMode mode) {
		if (count(mode) == 0) {
			throw new IllegalMonitorStateException("The lock was unlocked before");
		}
		add(mode, -1);
		return isLeft();
	}

	private synchronized void add(LockMode mode, int entries) {
		if (mode == mode()) {
			this.count += entries;
		}
		else {
			this.reads += entries;
		}
	}

	synchronized boolean suspect() {
		return this.state == State.HELD && become(State.SUSPECT);
	}

	synchronized boolean resume() {
		return this.state == State.SUSPECT && !this.lease.hasEnded(System.nanoTime()) && become(State.HELD);
	}

	synchronized List<LockListener> lossListeners() {
		return this.lossListeners;
	}

	/** False if the lock is lost already. */
	synchronized boolean onLoss(LockListener listener) {
		if (isLost()) {
			return false;
		}
		this.lossListeners = Stream.concat(this.lossListeners.stream(), Stream.of(listener)).toList();
		return true;
	}

	/** Returns whether the lock was held until now. */
	synchronized boolean markReleased() {
		return become(State.RELEASED);
	}

	/**
	 * The interrupt was meant for the code under the lock, which this thread has left.
	 */
	synchronized void clearInterruptOfLoss() {
		if (this.interrupted && isOfCurrentThread()) {
			Thread.interrupted();
		}
	}

	private boolean become(State next) {
		if (isOver()) {
			return false;
		}
		this.state = next;
		return true;
	}

	/** Returns the listeners to notify; null if it was not held. */
	@Nullable List<LockListener> lose() {
		synchronized (this) {
			if (!become(State.LOST)) {
				return null;
			}
			if (this.options.interruptOnLoss() && !isOfCurrentThread() && !this.thread.isInterrupted()) {
				// An interrupt of another origin is not cleared by the unlock.
				this.interrupted = true;
				this.thread.interrupt();
			}
		}
		grant().abandoned();
		return lossListeners();
	}

	Duration remainingMinimumHold() {
		Duration atLeast = this.options.holdAtLeast();
		Duration rest = atLeast.isZero() ? atLeast : atLeast.minusNanos(nanosHeldAt(System.nanoTime()));
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	LockEvent event(LockEvent.Type type) {
		return new LockEvent(type, this.name, engine().name(), Duration.ofNanos(nanosHeldAt(System.nanoTime())),
				token());
	}

	LockLostException lostException() {
		return new LockLostException(this.name, "The current thread has lost the " + this
				+ " before it released it: another thread or node may have held the lock at the same time");
	}

	@Override
	public String toString() {
		return ((mode() == LockMode.READ) ? "read lock '" : "lock '") + this.name + "' (" + engine().name() + ", token "
				+ token() + ")";
	}

}
