package io.idempotent.lock.internal.hold;

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
 * LOST and RELEASED are final, and exactly one of them is reached. A thread has still to
 * leave each entry of a lock that was released with its transaction.
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

	/** Changed under the lock of this object; 0 once each entry was left. */
	private volatile int count = 1;

	private volatile State state = State.HELD;

	/** Whether the loss has interrupted the thread. */
	private boolean interrupted;

	private List<LockListener> lossListeners = List.of();

	/** A read lock under a write lock has the lease of that one until a downgrade. */
	private volatile HeldLease lease;

	private volatile @Nullable HeldLock writer;

	private volatile @Nullable HeldLock reader;

	/**
	 * The next thread of the queue is admitted when the lock ends. A read lock has no
	 * queue, since it admits the next thread when it is granted.
	 */
	public HeldLock(String name, @Nullable LocalLockQueue queue, HeldLease lease, LockOptions options) {
		this.name = name;
		this.queue = queue;
		this.options = options;
		this.lease = lease;
	}

	private HeldLock(HeldLock writer) {
		this(writer.name, null, writer.lease, writer.options.withMode(LockMode.READ));
		this.writer = writer;
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

	public LockOptions options() {
		return this.options;
	}

	public HeldLease lease() {
		return this.lease;
	}

	public long nanosHeldAt(long now) {
		return now - this.since;
	}

	public boolean isValid() {
		return !isOver() && !this.lease.hasEnded(System.nanoTime()) && grant().isValid();
	}

	/**
	 * Adds a read lock without the engine. It is valid while this write lock is, and lost
	 * together with it. If this one is released first, a shared grant takes its place.
	 */
	synchronized HeldLock addReader() {
		if (this.count == 0 || isOver()) {
			throw lostException();
		}
		HeldLock lock = new HeldLock(this);
		this.reader = lock;
		return lock;
	}

	/** False if this read lock was left or lost meanwhile. */
	synchronized boolean continueWith(HeldLease shared) {
		if (this.count == 0 || isOver()) {
			return false;
		}
		this.lease = shared;
		this.writer = null;
		return true;
	}

	/** The lock on whose lease this one depends: its write lock, or else itself. */
	HeldLock leaseholder() {
		HeldLock lock = this.writer;
		return (lock != null) ? lock : this;
	}

	/** The read lock under this write lock, unless it was left. */
	public @Nullable HeldLock reader() {
		HeldLock lock = this.reader;
		return (lock != null && lock.count > 0) ? lock : null;
	}

	public Thread thread() {
		return this.thread;
	}

	boolean isOfCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	public int count() {
		return this.count;
	}

	/** Whether each entry was left, or its transaction has released the lock. */
	boolean isFree() {
		return this.count == 0 || isReleased();
	}

	boolean isSuspect() {
		return this.state == State.SUSPECT;
	}

	public boolean isLost() {
		return this.state == State.LOST;
	}

	boolean isReleased() {
		return this.state == State.RELEASED;
	}

	/** Lost or released. */
	public boolean isOver() {
		return isLost() || isReleased();
	}

	/** False if there is nothing to enter again. */
	synchronized boolean enterAgain() {
		if (this.count == Integer.MAX_VALUE) {
			throw new Error("Maximum lock count exceeded");
		}
		if (isFree()) {
			return false;
		}
		this.count++;
		return true;
	}

	/** Whether it was the last entry. There is none if a deferred unlock runs twice. */
	synchronized boolean leave() {
		if (this.count == 0) {
			throw new IllegalMonitorStateException("The lock was unlocked before");
		}
		return --this.count == 0;
	}

	public synchronized boolean suspect() {
		return this.state == State.HELD && become(State.SUSPECT);
	}

	public synchronized boolean resume() {
		return this.state == State.SUSPECT && !this.lease.hasEnded(System.nanoTime()) && become(State.HELD);
	}

	synchronized List<LockListener> lossListeners() {
		return this.lossListeners;
	}

	/** False if the lock is lost already. */
	public synchronized boolean onLoss(LockListener listener) {
		if (isLost()) {
			return false;
		}
		this.lossListeners = Stream.concat(this.lossListeners.stream(), Stream.of(listener)).toList();
		return true;
	}

	/** Returns whether the lock was held until now. */
	public synchronized boolean release() {
		if (isLost() && this.interrupted && isOfCurrentThread()) {
			// The interrupt was meant for the code under the lock, which is left.
			Thread.interrupted();
		}
		return become(State.RELEASED);
	}

	private boolean become(State next) {
		if (isOver()) {
			return false;
		}
		this.state = next;
		return true;
	}

	/**
	 * Also loses the read lock under it. Returns the listeners to notify; null if it was
	 * not held.
	 */
	public @Nullable List<LockListener> lose() {
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
		List<LockListener> own = lossListeners();
		HeldLock lock = this.reader;
		List<LockListener> others = (lock != null) ? lock.lose() : null;
		return (others != null) ? Stream.concat(own.stream(), others.stream()).toList() : own;
	}

	public Duration remainingMinimumHold() {
		Duration atLeast = this.options.holdAtLeast();
		Duration rest = atLeast.isZero() ? atLeast : atLeast.minusNanos(nanosHeldAt(System.nanoTime()));
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	public LockEvent event(LockEvent.Type type) {
		return new LockEvent(type, this.name, engine().name(), Duration.ofNanos(nanosHeldAt(System.nanoTime())),
				token());
	}

	public LockLostException lostException() {
		return new LockLostException(this.name, "The current thread has lost the " + this
				+ " before it released it: another thread or node may have held the lock at the same time");
	}

	@Override
	public String toString() {
		return ((mode() == LockMode.READ) ? "read lock '" : "lock '") + this.name + "' (" + engine().name() + ", token "
				+ token() + ")";
	}

}
