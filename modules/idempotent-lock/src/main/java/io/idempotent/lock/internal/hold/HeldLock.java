package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.internal.queue.EngineGrant;
import io.idempotent.lock.internal.queue.LocalLockQueue;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread holds: the grant of the engine, its lease, and the state of the
 * hold.
 */
public final class HeldLock {

	private final String name;

	private final @Nullable LocalLockQueue queue;

	private final EngineGrant granted;

	private final long token;

	private final LockOptions options;

	private final HeldLease lease;

	private final HoldState state;

	private final long since = System.nanoTime();

	private volatile @Nullable HeldLock dependent;

	/**
	 * Creates a lock that the current thread holds.
	 * @param name the lock
	 * @param queue the queue whose next thread is admitted when this lock ends, or
	 * {@code null} for a read lock, which admits the next thread when it is granted
	 * @param granted what the engine has granted
	 * @param options how it is held
	 * @param holdAtMost the longest time for which it may be held, or {@code null}
	 */
	public HeldLock(String name, @Nullable LocalLockQueue queue, EngineGrant granted, LockOptions options,
			@Nullable Duration holdAtMost) {
		this.name = name;
		this.queue = queue;
		this.granted = granted;
		this.token = granted.grant().token();
		this.options = options;
		this.lease = new HeldLease(granted.grant(), holdAtMost, granted.requestedAt());
		this.state = new HoldState(options.interruptOnLoss());
	}

	public String name() {
		return this.name;
	}

	public LockMode mode() {
		return this.options.mode();
	}

	public @Nullable LocalLockQueue queue() {
		return this.queue;
	}

	/** Ends the admission of its thread, so that the next one is admitted. */
	public void leaveQueue(LocalLockQueues queues) {
		if (this.queue != null) {
			queues.leave(this.name, this.queue, engine().queuesWaiters());
		}
	}

	/** The engine that has granted the lock. */
	public LockEngine engine() {
		return this.granted.engine();
	}

	/** The engine that was asked for the lock, see {@link EngineGrant}. */
	public LockEngine askedEngine() {
		return this.granted.asked();
	}

	public LockGrant grant() {
		return this.granted.grant();
	}

	public long token() {
		return this.token;
	}

	public LockOptions options() {
		return this.options;
	}

	public HeldLease lease() {
		return this.lease;
	}

	public HoldState state() {
		return this.state;
	}

	public long nanosHeld() {
		return nanosHeldAt(System.nanoTime());
	}

	public long nanosHeldAt(long now) {
		return now - this.since;
	}

	public boolean isValid() {
		return !this.state.isOver() && !this.lease.hasEnded(System.nanoTime()) && grant().isValid();
	}

	/**
	 * Whether renewal is due. A suspect lease is renewed until its state is known, even
	 * if that does not extend it.
	 * @param now the time
	 * @return whether to call the engine
	 */
	public boolean needsRenewal(long now) {
		return this.lease.isRenewalDue(now) || (this.lease.isRenewable() && this.state.isSuspect());
	}

	/**
	 * Adds a lock that is valid only while this one is, and is lost together with it.
	 * @param lock the lock
	 * @return {@code false} if this lock is over
	 */
	public boolean addDependent(HeldLock lock) {
		return this.state.whileHeld(() -> this.dependent = lock);
	}

	/**
	 * The lock that depends on this one.
	 * @return the lock, or {@code null} if there is none or it was left
	 */
	public @Nullable HeldLock dependent() {
		HeldLock lock = this.dependent;
		return (lock != null && !lock.state().isLeft()) ? lock : null;
	}

	/**
	 * Marks the lock as lost, and the one that depends on it.
	 * @return the listeners to notify, or {@code null} if the lock was no longer held
	 */
	public @Nullable List<LockListener> lose() {
		List<LockListener> own = this.state.lose();
		if (own == null) {
			return null;
		}
		grant().abandoned();
		HeldLock lock = this.dependent;
		List<LockListener> others = (lock != null) ? lock.lose() : null;
		if (others == null) {
			return own;
		}
		List<LockListener> both = new ArrayList<>(own);
		both.addAll(others);
		return both;
	}

	/**
	 * How long the lock has to stay locked if it is released now.
	 * @return what is left of {@link LockOptions#holdAtLeast()}
	 */
	public Duration remainingMinimumHold() {
		Duration atLeast = this.options.holdAtLeast();
		if (atLeast.isZero()) {
			return Duration.ZERO;
		}
		Duration rest = atLeast.minusNanos(nanosHeld());
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	public LockEvent event(LockEvent.Type type) {
		return new LockEvent(type, this.name, engine().name(), Duration.ofNanos(nanosHeld()), token());
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
