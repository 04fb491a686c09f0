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
import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread holds: the engine's grant, its lease, and its state.
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

	private volatile @Nullable HeldLock reader;

	/**
	 * The next thread of the queue is admitted when the lock ends. A read lock has no
	 * queue, since it admits the next thread when it is granted.
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

	@Nullable LocalLockQueue queue() {
		return this.queue;
	}

	void leaveQueue(LocalLockQueues queues) {
		if (this.queue != null) {
			queues.leave(this.name, this.queue, engine().queuesWaiters());
		}
	}

	public LockEngine engine() {
		return this.granted.engine();
	}

	LockEngine askedEngine() {
		return this.granted.asked();
	}

	LockGrant grant() {
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

	long nanosHeld() {
		return nanosHeldAt(System.nanoTime());
	}

	public long nanosHeldAt(long now) {
		return now - this.since;
	}

	public boolean isValid() {
		return !this.state.isOver() && !this.lease.hasEnded(System.nanoTime()) && grant().isValid();
	}

	/** A suspect lease is renewed to learn its state, even if that does not extend it. */
	public boolean needsRenewal(long now) {
		return this.lease.isRenewalDue(now) || this.state.isSuspect();
	}

	/** The added read lock is valid while this one is, and lost together with it. */
	HeldLock addReader() {
		EngineGrant grant = new EngineGrant(askedEngine(), engine(), new ReaderGrant(this), System.nanoTime());
		HeldLock lock = new HeldLock(this.name, null, grant, this.options.withMode(LockMode.READ), null);
		if (!this.state.whileHeld(() -> this.reader = lock)) {
			throw lostException();
		}
		return lock;
	}

	/** The read lock under this write lock, unless it was left. */
	public @Nullable HeldLock reader() {
		HeldLock lock = this.reader;
		return (lock != null && !lock.state().hasNoEntries()) ? lock : null;
	}

	/** Also loses the read lock under it. Returns null if it was not held. */
	public @Nullable List<LockListener> lose() {
		List<LockListener> own = this.state.lose();
		if (own == null) {
			return null;
		}
		grant().abandoned();
		HeldLock lock = this.reader;
		List<LockListener> others = (lock != null) ? lock.lose() : null;
		if (others == null) {
			return own;
		}
		List<LockListener> both = new ArrayList<>(own);
		both.addAll(others);
		return both;
	}

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
