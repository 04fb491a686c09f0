package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.epoch.Term;
import io.idempotent.lock.engine.LockGrant.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread holds: the grant of the engine, the number of entries, and what is
 * known of the lease.
 *
 * <pre>
 * HELD ⇄ SUSPECT ──▶ LOST          by the clock, a renewal or the connection
 *   ├───────┼──────▶ RELEASED      by the holder
 *   └───────┴──────▶ ENDED         with the transaction that the grant is bound to
 * </pre>
 *
 * LOST, RELEASED and ENDED are final, and exactly one of them is reached. When a lock has
 * ENDED, other threads can take it, but its thread has still to call {@code unlock}.
 */
final class HeldLock {

	private final String name;

	private final @Nullable LocalLockQueue queue;

	private final LockEngine engine;

	private final Term term;

	private volatile LockGrant grant;

	private final long token;

	private final LockOptions options;

	private volatile HeldLease lease;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	/** Held during a renewal, so that the engine gets the renewals in their order. */
	private final ReentrantLock renewing = new ReentrantLock();

	/** Changed under the lock of this object; 0 once each entry was left. */
	private volatile int count = 1;

	private volatile State state = State.HELD;

	private boolean interrupted;

	private @Nullable List<LockListener> lossListeners;

	/** The read lock that uses the grant of this write lock. */
	private volatile @Nullable HeldLock reader;

	/**
	 * Creates a held lock.
	 * @param name the lock
	 * @param queue its queue, or {@code null} for a read lock
	 * @param engine the engine that granted it
	 * @param term the term in which it was granted, which counts it until it is released,
	 * lost or ended
	 * @param grant the grant
	 * @param options how it is held
	 * @param holdAtMost the longest time for which it may be held, or {@code null}
	 * @param requestedAt when it was requested
	 */
	HeldLock(String name, @Nullable LocalLockQueue queue, LockEngine engine, Term term, LockGrant grant,
			LockOptions options, @Nullable Duration holdAtMost, long requestedAt) {
		this.name = name;
		this.queue = queue;
		this.engine = engine;
		this.term = term;
		this.grant = grant;
		this.token = term.token(grant.token());
		this.options = options;
		this.lease = new HeldLease(grant, term, holdAtMost, requestedAt);
	}

	/**
	 * Adds the read lock of the thread that holds this write lock.
	 * @return the read lock, which is valid while this lock is
	 * @throws LockLostException if this lock was lost meanwhile
	 */
	synchronized HeldLock coverReader() {
		if (!isHeldOrSuspect() || !this.term.enterNested()) {
			throw lostException();
		}
		HeldLock read = new HeldLock(this.name, null, this.engine, this.term, new CoveredGrant(this),
				this.options.withMode(LockMode.READ), null, this.since);
		this.reader = read;
		return read;
	}

	/**
	 * The read lock that has to continue when this write lock is released.
	 * @return the read lock, or {@code null} if the thread does not hold it
	 */
	@Nullable HeldLock reader() {
		HeldLock read = this.reader;
		return (read != null && !read.isLeft()) ? read : null;
	}

	/**
	 * The write lock that this read lock was taken under.
	 * @return the lock, or {@code null} if this lock has a grant of its own
	 */
	@Nullable HeldLock writer() {
		return (this.grant instanceof CoveredGrant covered) ? covered.writer() : null;
	}

	/**
	 * Continues this read lock without the write lock.
	 * @param shared the grant that has taken the place of that of the write lock
	 * @param requestedAt when it was requested
	 * @return {@code false} if this lock was released or lost meanwhile
	 */
	synchronized boolean continueWith(LockGrant shared, long requestedAt) {
		HeldLock former = writer();
		if (former == null || isLeft() || !isHeldOrSuspect()) {
			return false;
		}
		this.lease = former.lease.continuedBy(shared, requestedAt);
		this.grant = shared;
		return true;
	}

	String name() {
		return this.name;
	}

	LockMode mode() {
		return this.options.mode();
	}

	/**
	 * The queue whose next thread is admitted when this lock ends.
	 * @return the queue, or {@code null} for a read lock, which admits the next thread
	 * when it is granted
	 */
	@Nullable LocalLockQueue queue() {
		return this.queue;
	}

	LockEngine engine() {
		return this.engine;
	}

	LockGrant grant() {
		return this.grant;
	}

	/**
	 * The fencing token, which grows with each switch to another engine too.
	 */
	long token() {
		return this.token;
	}

	LockOptions options() {
		return this.options;
	}

	HeldLease lease() {
		return this.lease;
	}

	Thread thread() {
		return this.thread;
	}

	/**
	 * Whether this lock is what a thread has waited for.
	 * @param thread the thread
	 * @param start since when it waited
	 * @return whether the thread has acquired this lock since then
	 */
	boolean wasAcquiredBy(Thread thread, long start) {
		return this.thread == thread && this.since - start >= 0;
	}

	long nanosHeld() {
		return nanosHeldAt(System.nanoTime());
	}

	long nanosHeldAt(long now) {
		return now - this.since;
	}

	int count() {
		return this.count;
	}

	/**
	 * Adds an entry.
	 * @return {@code false} if another thread has taken the last entry back meanwhile
	 */
	synchronized boolean enterAgain() {
		if (this.count == Integer.MAX_VALUE) {
			throw new Error("Maximum lock count exceeded");
		}
		if (this.count == 0) {
			return false;
		}
		this.count++;
		return true;
	}

	/**
	 * Takes one entry back.
	 * @return whether it was the last one
	 * @throws IllegalMonitorStateException if each entry was taken back before, as by a
	 * deferred unlock that is run twice
	 */
	synchronized boolean leave() {
		if (this.count == 0) {
			throw new IllegalMonitorStateException("The " + this + " was unlocked before");
		}
		return --this.count == 0;
	}

	/** Whether each entry was taken back. A deferred unlock does that on any thread. */
	boolean isLeft() {
		return this.count == 0;
	}

	boolean isOfCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	boolean isLost() {
		return this.state == State.LOST;
	}

	boolean isValid() {
		return isHeldOrSuspect() && !this.lease.hasEnded(System.nanoTime()) && this.grant.isValid();
	}

	Term term() {
		return this.term;
	}

	private boolean isHeldOrSuspect() {
		State current = this.state;
		return current == State.HELD || current == State.SUSPECT;
	}

	/** Whether the lock is lost, released or ended, each of which is final. */
	boolean isOver() {
		return !isHeldOrSuspect();
	}

	/**
	 * Whether renewal is due. A suspect lease is renewed until its state is known, even
	 * if that does not extend it.
	 * @param now the time
	 * @return whether to ask the engine
	 */
	boolean needsRenewal(long now) {
		return this.lease.isRenewalDue(now) || (this.lease.isRenewable() && this.state == State.SUSPECT);
	}

	/**
	 * Asks the engine to renew the lease. A reply that arrives after the lease has ended
	 * changes nothing: a lock that was reported as invalid never becomes valid again.
	 * @return whether the grant is still valid
	 */
	Ownership renew() {
		this.renewing.lock();
		try {
			HeldLease renewed;
			LockGrant asked;
			synchronized (this) {
				// Both change together when a write lock is downgraded.
				renewed = this.lease;
				asked = this.grant;
			}
			long requestedAt = System.nanoTime();
			Duration duration = renewed.durationFrom(requestedAt);
			Ownership ownership = asked.renew(duration);
			if (ownership == Ownership.HELD) {
				renewed(renewed, requestedAt, duration);
			}
			return ownership;
		}
		finally {
			this.renewing.unlock();
		}
	}

	private synchronized void renewed(HeldLease renewed, long requestedAt, Duration duration) {
		if (!this.lease.hasEnded(System.nanoTime())) {
			renewed.restart(requestedAt, duration);
		}
	}

	/**
	 * Lets the lock be held longer, if its hold is limited.
	 * @param end when the limit is at the earliest
	 * @return {@code false} if the lock is no longer valid; then nothing was changed
	 */
	synchronized boolean extendTo(long end) {
		if (!isValid()) {
			return false;
		}
		this.lease.limitAtLeast(end);
		return true;
	}

	/** Shortens the lease, so that it ends no later than at the given time. */
	synchronized void leaseEndsBy(long latest) {
		this.lease.endBy(latest);
	}

	/**
	 * Marks the lease as uncertain: a renewal failed, or the connection is down.
	 * @return whether it was certain before
	 */
	synchronized boolean suspect() {
		if (this.state != State.HELD) {
			return false;
		}
		this.state = State.SUSPECT;
		return true;
	}

	/**
	 * Marks the lease as certain again.
	 * @return whether it was uncertain before
	 */
	synchronized boolean resume() {
		if (this.state != State.SUSPECT || this.lease.hasEnded(System.nanoTime())) {
			return false;
		}
		this.state = State.HELD;
		return true;
	}

	/**
	 * Marks the lock as lost.
	 * @return the listeners to notify, or {@code null} if the lock was not held any more
	 */
	synchronized @Nullable List<LockListener> lose() {
		if (!isHeldOrSuspect()) {
			return null;
		}
		this.state = State.LOST;
		this.term.leave();
		if (this.options.interruptOnLoss() && !isOfCurrentThread() && !this.thread.isInterrupted()) {
			// An interrupt of another origin is not cleared by the unlock.
			this.interrupted = true;
			this.thread.interrupt();
		}
		List<LockListener> notified = new ArrayList<>(lossListeners());
		HeldLock read = this.reader;
		List<LockListener> readers = (read != null) ? read.lose() : null;
		if (readers != null) {
			notified.addAll(readers);
		}
		return notified;
	}

	synchronized List<LockListener> lossListeners() {
		return (this.lossListeners != null) ? List.copyOf(this.lossListeners) : List.of();
	}

	/**
	 * Adds a listener for the loss of this lock.
	 * @param listener the listener
	 * @return {@code false} if the lock is lost already
	 */
	synchronized boolean onLoss(LockListener listener) {
		if (this.state == State.LOST) {
			return false;
		}
		if (this.lossListeners == null) {
			this.lossListeners = new ArrayList<>(1);
		}
		this.lossListeners.add(listener);
		return true;
	}

	/**
	 * Marks the lock as released by its holder.
	 * @return whether it was held until now, neither lost nor ended
	 */
	synchronized boolean release() {
		if (this.state == State.LOST && this.interrupted && isOfCurrentThread()) {
			// The interrupt was meant for the code under the lock, which is left.
			Thread.interrupted();
		}
		return end(State.RELEASED);
	}

	/** Marks the lock as ended, and returns whether it was held until now. */
	synchronized boolean endByItself() {
		return end(State.ENDED);
	}

	private boolean end(State end) {
		if (!isHeldOrSuspect()) {
			return false;
		}
		this.state = end;
		this.term.leave();
		return true;
	}

	boolean hasEnded() {
		return this.state == State.ENDED;
	}

	/**
	 * How long the lock has to stay locked if it is released now.
	 * @return what is left of {@link LockOptions#holdAtLeast()}
	 */
	Duration remainingMinimumHold() {
		Duration atLeast = this.options.holdAtLeast();
		if (atLeast.isZero()) {
			return Duration.ZERO;
		}
		Duration rest = atLeast.minusNanos(nanosHeld());
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	LockEvent event(LockEvent.Type type) {
		return new LockEvent(type, this.name, this.engine.name(), Duration.ofNanos(nanosHeld()), token());
	}

	LockLostException lostException() {
		return new LockLostException(this.name, "The current thread has lost the " + this
				+ " before it released it: another thread or node may have held the lock at the same time");
	}

	@Override
	public String toString() {
		return ((mode() == LockMode.READ) ? "read lock '" : "lock '") + this.name + "' (" + this.engine.name()
				+ ", token " + token() + ")";
	}

	private enum State {

		HELD, SUSPECT, LOST, RELEASED, ENDED

	}

}
