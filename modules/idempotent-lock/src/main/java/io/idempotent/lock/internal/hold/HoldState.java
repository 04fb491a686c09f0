package io.idempotent.lock.internal.hold;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.lock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * Whether a lock is held, and how many entries of its thread there are.
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
public final class HoldState {

	private enum State {

		HELD, SUSPECT, LOST, RELEASED, ENDED

	}

	private final Thread thread = Thread.currentThread();

	private final boolean interruptOnLoss;

	/** Changed under the lock of this object; 0 once each entry was left. */
	private volatile int count = 1;

	private volatile State state = State.HELD;

	private boolean interrupted;

	private @Nullable List<LockListener> lossListeners;

	/**
	 * Creates the state of a lock that the current thread holds.
	 * @param interruptOnLoss whether the thread is interrupted when the lock is lost
	 */
	public HoldState(boolean interruptOnLoss) {
		this.interruptOnLoss = interruptOnLoss;
	}

	public Thread thread() {
		return this.thread;
	}

	public boolean isOfCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	public int count() {
		return this.count;
	}

	/** Whether the hold count is zero. A deferred unlock ends it on any thread. */
	public boolean isLeft() {
		return this.count == 0;
	}

	public boolean isSuspect() {
		return this.state == State.SUSPECT;
	}

	public boolean isLost() {
		return this.state == State.LOST;
	}

	public boolean hasEnded() {
		return this.state == State.ENDED;
	}

	/** Whether the lock is lost, released or ended, each of which is final. */
	public boolean isOver() {
		State current = this.state;
		return current != State.HELD && current != State.SUSPECT;
	}

	/**
	 * Adds an entry.
	 * @return {@code false} if another thread has taken the last entry back meanwhile
	 */
	public synchronized boolean enterAgain() {
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
	public synchronized boolean leave() {
		if (this.count == 0) {
			throw new IllegalMonitorStateException("The lock was unlocked before");
		}
		return --this.count == 0;
	}

	/**
	 * Makes a change, unless the lock is left or over.
	 * @param change the change, which is quick
	 * @return whether it was made
	 */
	public synchronized boolean whileHeld(Runnable change) {
		if (isLeft() || isOver()) {
			return false;
		}
		change.run();
		return true;
	}

	/**
	 * Marks the lease as uncertain: a renewal failed, or the connection is down.
	 * @return whether it was certain before
	 */
	public synchronized boolean suspect() {
		return this.state == State.HELD && become(State.SUSPECT);
	}

	/**
	 * Marks the lease as certain again.
	 * @param lease the lease
	 * @return whether it was uncertain before
	 */
	public synchronized boolean resume(HeldLease lease) {
		return this.state == State.SUSPECT && !lease.hasEnded(System.nanoTime()) && become(State.HELD);
	}

	/**
	 * Marks the lock as lost.
	 * @return the listeners to notify, or {@code null} if the lock was not held any more
	 */
	public synchronized @Nullable List<LockListener> lose() {
		if (!become(State.LOST)) {
			return null;
		}
		if (this.interruptOnLoss && !isOfCurrentThread() && !this.thread.isInterrupted()) {
			// An interrupt of another origin is not cleared by the unlock.
			this.interrupted = true;
			this.thread.interrupt();
		}
		return lossListeners();
	}

	public synchronized List<LockListener> lossListeners() {
		return (this.lossListeners != null) ? List.copyOf(this.lossListeners) : List.of();
	}

	/**
	 * Adds a listener for the loss of the lock.
	 * @param listener the listener
	 * @return {@code false} if the lock is lost already
	 */
	public synchronized boolean onLoss(LockListener listener) {
		if (isLost()) {
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
	public synchronized boolean release() {
		if (isLost() && this.interrupted && isOfCurrentThread()) {
			// The interrupt was meant for the code under the lock, which is left.
			Thread.interrupted();
		}
		return become(State.RELEASED);
	}

	/** Marks the lock as ended, and returns whether it was held until now. */
	public synchronized boolean endByItself() {
		return become(State.ENDED);
	}

	private boolean become(State next) {
		if (isOver()) {
			return false;
		}
		this.state = next;
		return true;
	}

}
