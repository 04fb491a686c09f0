package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockGrant.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What one thread holds: a grant, how often it was entered, and what is known of its
 * lease.
 *
 * <pre>
 * HELD ⇄ SUSPECT ──▶ LOST          by the clock, a renewal or the connection
 *   ├───────┼──────▶ RELEASED      by the holder
 *   └───────┴──────▶ ENDED         by the grant itself
 * </pre>
 *
 * LOST, RELEASED and ENDED are final, and just one of them is reached. A hold that has
 * ended, with the transaction that its grant is bound to, is over for everybody else; its
 * thread may still have to leave the section. Times are those of
 * {@link System#nanoTime()}, counted from before the engine was asked, so that the lease
 * ends here no later than there.
 */
final class HeldLock {

	private final String name;

	private final LocalLockQueue gate;

	private final LockEngine engine;

	private final LockGrant grant;

	private final LockOptions options;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	/** When the hold is over however often it is renewed; null for no limit. */
	private final @Nullable Long limit;

	private final AtomicBoolean renewing = new AtomicBoolean();

	/** Changed under the lock of this hold; 0 once its section has been left. */
	private volatile int count = 1;

	private volatile State state = State.HELD;

	private volatile long renewedAt;

	private volatile long expiresAt;

	private boolean interrupted;

	private @Nullable List<LockListener> lossListeners;

	HeldLock(String name, LocalLockQueue gate, LockEngine engine, LockGrant grant, LockOptions options,
			@Nullable Duration limit, long startsAt) {
		this.name = name;
		this.gate = gate;
		this.engine = engine;
		this.grant = grant;
		this.options = options;
		this.limit = (limit != null) ? startsAt + limit.toNanos() : null;
		leaseStartsAt(startsAt);
	}

	String name() {
		return this.name;
	}

	LocalLockQueue gate() {
		return this.gate;
	}

	LockEngine engine() {
		return this.engine;
	}

	LockGrant grant() {
		return this.grant;
	}

	LockOptions options() {
		return this.options;
	}

	long nanosHeld() {
		return System.nanoTime() - this.since;
	}

	int count() {
		return this.count;
	}

	/**
	 * Adds an entry.
	 * @return {@code false} if the section has been left meanwhile, by another thread
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
	 * @return whether that was the outermost
	 */
	synchronized boolean leave() {
		return --this.count == 0;
	}

	/**
	 * Whether each entry was taken back. A deferred unlock does that on any thread.
	 * @return whether nobody is in the section on account of this hold
	 */
	boolean isLeft() {
		return this.count == 0;
	}

	/**
	 * Whether the current thread is the one that took the lock.
	 * @return whether it is
	 */
	boolean isOfCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	boolean isLost() {
		return this.state == State.LOST;
	}

	boolean isValid() {
		State current = this.state;
		return (current == State.HELD || current == State.SUSPECT) && !isOver(System.nanoTime()) && this.grant.stands();
	}

	/**
	 * Whether the lease has run out by the clock.
	 * @param now the time
	 * @return whether it has
	 */
	boolean isOver(long now) {
		return isTimed() && this.expiresAt - now <= 0;
	}

	/**
	 * Whether it can be over at all.
	 * @return whether it has a lease or a limit
	 */
	boolean isTimed() {
		return this.grant.lease() != null || this.limit != null;
	}

	/**
	 * Whether the lease is suspect, or a third of it has passed and renewal would add to
	 * it.
	 * @param now the time
	 * @return whether renewal is due
	 */
	boolean needsRenewal(long now) {
		Duration lease = this.grant.lease();
		if (lease == null) {
			return false;
		}
		// What is suspect is asked for until it is known, limit or not.
		return this.state == State.SUSPECT || (now - this.renewedAt >= lease.toNanos() / 3
				&& (this.limit == null || this.limit - this.expiresAt > 0));
	}

	/**
	 * When to look at it next: as soon as it is over, and every sixth of its lease, which
	 * leaves time to repeat a renewal that is due after a third.
	 * @param now the time
	 * @return the time until then in nanoseconds
	 */
	long nextLookIn(long now) {
		Duration lease = this.grant.lease();
		long left = Math.max(0, this.expiresAt - now);
		return (lease != null) ? Math.min(left, lease.toNanos() / 6) : left;
	}

	/**
	 * Claims the right to renew: one renewal of a hold is under way at a time.
	 * @return whether it was free
	 */
	boolean beginRenewal() {
		return !this.renewing.get() && this.renewing.compareAndSet(false, true);
	}

	void endRenewal() {
		this.renewing.set(false);
	}

	/**
	 * Asks the engine to let the lease start again. What comes of it is the caller's to
	 * tell. An answer that comes after the lease has run out changes nothing: whoever was
	 * told that the hold is not valid stays right.
	 * @return whether the grant stands
	 */
	Standing renew() {
		long askedAt = System.nanoTime();
		Duration lease = this.grant.lease();
		if (lease != null && this.limit != null) {
			lease = Duration.ofNanos(Math.max(1_000_000, Math.min(lease.toNanos(), this.limit - askedAt)));
		}
		Standing standing = this.grant.renew((lease != null) ? lease : Duration.ZERO);
		if (standing == Standing.HELD) {
			renewed(askedAt);
		}
		return standing;
	}

	private synchronized void renewed(long askedAt) {
		if (!isOver(System.nanoTime())) {
			leaseStartsAt(askedAt);
		}
	}

	private void leaseStartsAt(long time) {
		this.renewedAt = time;
		Duration lease = this.grant.lease();
		long end = (lease != null) ? time + lease.toNanos() : time + Long.MAX_VALUE / 2;
		this.expiresAt = (this.limit != null && this.limit - end < 0) ? this.limit : end;
	}

	/**
	 * A renewal failed, or the connection is down.
	 * @return whether that is news
	 */
	synchronized boolean suspect() {
		if (this.state != State.HELD) {
			return false;
		}
		this.state = State.SUSPECT;
		return true;
	}

	/**
	 * The lease may be shorter than was thought.
	 * @param latest when it is over at the latest
	 */
	synchronized void expireBy(long latest) {
		if (latest - this.expiresAt < 0) {
			this.expiresAt = latest;
		}
	}

	/**
	 * The lease is sure again.
	 * @return whether that is news
	 */
	synchronized boolean resume() {
		if (this.state != State.SUSPECT || isOver(System.nanoTime())) {
			return false;
		}
		this.state = State.HELD;
		return true;
	}

	/**
	 * The lock is lost, if it is still held.
	 * @return who is to be told, or {@code null} if the hold has ended before
	 */
	synchronized @Nullable List<LockListener> lose() {
		if (this.state != State.HELD && this.state != State.SUSPECT) {
			return null;
		}
		this.state = State.LOST;
		if (this.options.interruptOnLoss() && Thread.currentThread() != this.thread && !this.thread.isInterrupted()) {
			// A thread that is interrupted already stays so, whoever did it.
			this.interrupted = true;
			this.thread.interrupt();
		}
		return lossListeners();
	}

	synchronized List<LockListener> lossListeners() {
		return (this.lossListeners != null) ? List.copyOf(this.lossListeners) : List.of();
	}

	/**
	 * The holder gives the lock back.
	 * @return whether it was neither lost before nor had ended by itself
	 */
	synchronized boolean end() {
		if (this.state == State.LOST) {
			if (this.interrupted && isOfCurrentThread()) {
				// Meant for the section, which is over.
				Thread.interrupted();
			}
			return false;
		}
		if (this.state == State.ENDED) {
			return false;
		}
		this.state = State.RELEASED;
		return true;
	}

	/**
	 * The grant has ended together with what it is bound to.
	 * @return whether that ends the hold
	 */
	synchronized boolean endByItself() {
		if (this.state != State.HELD && this.state != State.SUSPECT) {
			return false;
		}
		this.state = State.ENDED;
		return true;
	}

	boolean hasEnded() {
		return this.state == State.ENDED;
	}

	/**
	 * Remembers whom to tell of a loss.
	 * @param listener the listener
	 * @return whether there is still something to lose
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
	 * How long the lock is to stay taken after it is given back now.
	 * @return the rest of the shortest hold
	 */
	Duration keepFor() {
		Duration atLeast = this.options.holdAtLeast();
		if (atLeast.isZero()) {
			return Duration.ZERO;
		}
		Duration rest = atLeast.minusNanos(nanosHeld());
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	LockEvent event(LockEvent.Type type) {
		return new LockEvent(type, this.name, this.engine.name(), Duration.ofNanos(nanosHeld()), this.grant.token());
	}

	@Override
	public String toString() {
		return "lock '" + this.name + "' (" + this.engine.name() + ", token " + this.grant.token() + ")";
	}

	private enum State {

		HELD, SUSPECT, LOST, RELEASED, ENDED

	}

}
