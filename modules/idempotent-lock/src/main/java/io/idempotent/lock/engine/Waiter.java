package io.idempotent.lock.engine;

import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A thread that waits in a {@link LocalLockQueue}. Its state is changed under the lock of
 * the queue.
 */
final class Waiter {

	private final LocalLockQueue queue;

	private final AcquireRequest request;

	private final Thread thread;

	private final long since;

	private volatile @Nullable Admission admission;

	/** Whether the holder is handing its grant over to this thread. */
	private boolean isNext;

	/**
	 * Creates a waiter.
	 * @param queue the queue
	 * @param request what the thread wants
	 * @param thread the thread
	 * @param since since when it waits, by {@link System#nanoTime()}
	 */
	Waiter(LocalLockQueue queue, AcquireRequest request, Thread thread, long since) {
		this.queue = queue;
		this.request = request;
		this.thread = thread;
		this.since = since;
	}

	LocalLockQueue queue() {
		return this.queue;
	}

	AcquireRequest request() {
		return this.request;
	}

	Thread thread() {
		return this.thread;
	}

	long since() {
		return this.since;
	}

	/**
	 * Waits until this thread is admitted; called by the thread itself.
	 * @param deadline how long it waits
	 * @return how it is admitted, or {@code null} if it was not in time
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request is interruptible
	 */
	@Nullable Admission await(Deadline deadline) throws InterruptedException {
		boolean overdue = false;
		boolean interrupted = false;
		try {
			while (this.admission == null) {
				if (Thread.interrupted()) {
					if (this.request.interruptible() && this.queue.quit(this, true)) {
						throw new InterruptedException();
					}
					// Interrupts are ignored, or it was admitted before this one.
					interrupted = true;
				}
				if (deadline.nanosLeft() == 0) {
					if (this.queue.quit(this, false)) {
						return null;
					}
					// The holder is handing its grant over, and waits for the engine.
					overdue = true;
				}
				// To quit may have used up the permit that came with the admission: it
				// locks
				// the queue, and parks if others do.
				if (this.admission == null) {
					park(overdue ? Deadline.NEVER : deadline);
				}
			}
			return this.admission;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void park(Deadline deadline) {
		if (deadline == Deadline.NEVER) {
			LockSupport.park(this.queue);
		}
		else {
			LockSupport.parkNanos(this.queue, deadline.nanosLeft());
		}
	}

	/**
	 * Admits the thread, and wakes it.
	 * @param admission how it is admitted
	 */
	void admit(Admission admission) {
		this.admission = admission;
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
	 * @return whether it is not admitted, and does not have to wait for a grant
	 */
	boolean mayQuit(boolean interrupted) {
		return this.admission == null && (interrupted || !this.isNext);
	}

}
