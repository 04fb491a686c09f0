package io.idempotent.lock.internal.queue;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A thread that acquires a lock. Its state is changed under the lock of its
 * {@link LocalLockQueue}.
 */
public final class QueuedThread {

	private final AcquireRequest request;

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	private volatile @Nullable Turn turn;

	/** Whether the holder is handing its grant over to this thread. */
	private boolean isNext;

	public QueuedThread(AcquireRequest request) {
		this.request = request;
	}

	public AcquireRequest request() {
		return this.request;
	}

	public Thread thread() {
		return this.thread;
	}

	/** Since when it waits, by {@link System#nanoTime()}. */
	public long since() {
		return this.since;
	}

	public long nanosWaited() {
		return System.nanoTime() - this.since;
	}

	/** What it may do now, or {@code null} if it has to wait. */
	@Nullable Turn turn() {
		return this.turn;
	}

	/**
	 * Waits until this thread is woken, or for no reason; called by the thread itself.
	 * @param blocker what it waits for
	 * @param deadline how long it waits
	 */
	void park(Object blocker, Deadline deadline) {
		if (deadline == Deadline.NEVER) {
			LockSupport.park(blocker);
		}
		else {
			LockSupport.parkNanos(blocker, deadline.nanosLeft());
		}
	}

	/**
	 * Ends the wait.
	 * @param turn what the thread may do
	 */
	void wake(Turn turn) {
		this.turn = turn;
		LockSupport.unpark(this.thread);
	}

	/** The grant is being handed over to this waiter, so that it waits for it. */
	void becomeNext() {
		this.isNext = true;
	}

	/** The grant is not handed over to this waiter, so that its deadline counts again. */
	void noLongerNext() {
		if (this.isNext) {
			this.isNext = false;
			LockSupport.unpark(this.thread);
		}
	}

	/**
	 * Whether the thread may stop waiting.
	 * @param interrupted whether it was interrupted
	 * @return whether it has no turn, and does not have to wait for a grant
	 */
	boolean mayQuit(boolean interrupted) {
		return this.turn == null && (interrupted || !this.isNext);
	}

}
