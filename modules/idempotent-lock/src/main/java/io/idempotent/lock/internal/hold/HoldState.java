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
 *   └───────┴──────▶ RELEASED      by the holder, or with its transaction
 * </pre>
 *
 * LOST and RELEASED are final, and exactly one of them is reached. A thread has still to
 * leave each entry of a lock that was released with its transaction.
 */
public final class HoldState {

	private enum State {

		HELD, SUSPECT, LOST, RELEASED

	}

	private final Thread thread = Thread.currentThread();

	private final boolean interruptOnLoss;

	/** Changed under the lock of this object; 0 once each entry was left. */
	private volatile int count = 1;

	private volatile State state = State.HELD;

	private boolean interrupted;

	private @Nullable List<LockListener> lossListeners;

	HoldState(boolean interruptOnLoss) {
		this.interruptOnLoss = interruptOnLoss;
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

	boolean hasNoEntries() {
		return this.count == 0;
	}

	/** Whether each entry was left, or its transaction has released the lock. */
	boolean isFree() {
		return hasNoEntries() || isReleased();
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
		State current = this.state;
		return current != State.HELD && current != State.SUSPECT;
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

	/** Makes a quick change, unless the lock has no entries or is over. */
	synchronized boolean whileHeld(Runnable change) {
		if (hasNoEntries() || isOver()) {
			return false;
		}
		change.run();
		return true;
	}

	public synchronized boolean suspect() {
		return this.state == State.HELD && become(State.SUSPECT);
	}

	public synchronized boolean resume(HeldLease lease) {
		return this.state == State.SUSPECT && !lease.hasEnded(System.nanoTime()) && become(State.HELD);
	}

	/** Returns the listeners to notify; null if the lock was not held. */
	synchronized @Nullable List<LockListener> lose() {
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

	synchronized List<LockListener> lossListeners() {
		return (this.lossListeners != null) ? List.copyOf(this.lossListeners) : List.of();
	}

	/** False if the lock is lost already. */
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

}
