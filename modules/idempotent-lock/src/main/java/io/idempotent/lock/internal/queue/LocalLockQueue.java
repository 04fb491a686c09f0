package io.idempotent.lock.internal.queue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

import io.idempotent.lock.engine.LockEngine;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this JVM that want the same lock. One of them is admitted and calls the
 * engine; the others wait here, in the order of their arrival, without any load on the
 * engine.
 *
 * <p>
 * The thread that is admitted stays admitted while it holds the lock. When it releases
 * the lock, or its lease is found to have ended, the next one is admitted. There are two
 * short cuts. The holder may hand its grant over to the next thread, which then need not
 * call the engine. And if the engine has its own queue, the next thread is admitted to
 * that queue as soon as the lock is held.
 */
public final class LocalLockQueue {

	/**
	 * How many grants in a row may be handed over to threads of this JVM. Then the lock
	 * is released, so that other nodes get a chance.
	 */
	public static final int MAX_HAND_OFFS = 16;

	private static final Turn ASK = new Turn.Ask(null);

	private static final Turn CLOSED = new Turn.Closed();

	/** Guards the fields below; held for a few instructions. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<QueuedThread> queue = new ArrayDeque<>();

	/** How many threads are admitted. */
	private int admitted;

	/** How many threads may be admitted. */
	private int limit = 1;

	/** The engine in whose queue the threads beyond the first one wait. */
	private @Nullable LockEngine queueingEngine;

	private int handOffCount;

	private boolean closed;

	/** How many threads use this queue; changed under the lock of its map entry. */
	private int users;

	/**
	 * Waits until the current thread is admitted.
	 * @param waiter the current thread
	 * @param deadline how long it waits
	 * @return its turn, or {@code null} if that did not come in time
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request is interruptible
	 */
	public @Nullable Turn enter(QueuedThread waiter, Deadline deadline) throws InterruptedException {
		this.lock.lock();
		try {
			if (this.closed) {
				return CLOSED;
			}
			// An attempt without waiting need not call the engine if the lock is held
			// here.
			if (this.admitted < ((deadline == Deadline.NOW) ? 1 : this.limit)) {
				return admit();
			}
			if (deadline == Deadline.NOW) {
				return null;
			}
			this.queue.add(waiter);
		}
		finally {
			this.lock.unlock();
		}
		return await(waiter, deadline);
	}

	private @Nullable Turn await(QueuedThread waiter, Deadline deadline) throws InterruptedException {
		Deadline left = deadline;
		boolean interrupted = false;
		try {
			while (waiter.turn() == null) {
				if (Thread.interrupted()) {
					if (waiter.request().interruptible() && quit(waiter, true)) {
						throw new InterruptedException();
					}
					// Interrupts are ignored, or it was admitted before this one.
					interrupted = true;
				}
				if (deadline.nanosLeft() == 0) {
					if (quit(waiter, false)) {
						return null;
					}
					// The holder is handing its grant over, and waits for the engine.
					left = Deadline.NEVER;
				}
				// To quit may have used up the permit that came with the turn: it locks
				// the queue, and parks if others do.
				if (waiter.turn() == null) {
					waiter.park(this, left);
				}
			}
			return waiter.turn();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Takes a waiter out of the queue, unless it is admitted, or may be handed the grant
	 * at any moment.
	 * @param waiter the waiter
	 * @param interrupted whether it was interrupted, so that it does not wait for a grant
	 * @return whether it waits no longer
	 */
	private boolean quit(QueuedThread waiter, boolean interrupted) {
		this.lock.lock();
		try {
			return waiter.mayQuit(interrupted) && this.queue.remove(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Chooses the waiter that the grant is handed over to. It then waits past its
	 * deadline, unless it is interrupted, until either {@link #handOver} or
	 * {@link #leave} is called.
	 * @return the first waiter, or {@code null} if there is none or if other nodes are to
	 * get a chance
	 */
	public @Nullable QueuedThread nextWaiter() {
		this.lock.lock();
		try {
			QueuedThread first = this.queue.peek();
			if (first == null || this.handOffCount >= MAX_HAND_OFFS) {
				return null;
			}
			first.becomeNext();
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Hands a grant over: the waiter is admitted in place of the current thread.
	 * @param nextWaiter the waiter
	 * @param granted the grant
	 * @return whether it was still waiting
	 */
	public boolean handOver(QueuedThread nextWaiter, EngineGrant granted) {
		this.lock.lock();
		try {
			if (this.queue.peek() != nextWaiter) {
				return false;
			}
			this.queue.remove();
			this.handOffCount++;
			nextWaiter.wake(new Turn.HandedOver(granted));
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Admits one more thread while the lock is held, to the queue of the engine.
	 * @param engine the engine that was asked for the lock
	 */
	public void admitToQueueOf(LockEngine engine) {
		this.lock.lock();
		try {
			this.queueingEngine = engine;
			change(0, 1);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops admitting threads, and wakes those that wait.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.queue.forEach((waiter) -> waiter.wake(CLOSED));
			this.queue.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the admission of one thread, so that the next one is admitted.
	 * @param admittedToEngine whether it has called {@link #admitToQueueOf}
	 */
	public void leave(boolean admittedToEngine) {
		change(-1, admittedToEngine ? -1 : 0);
	}

	private void change(int admitted, int limit) {
		this.lock.lock();
		try {
			this.handOffCount = 0;
			this.admitted += admitted;
			this.limit += limit;
			while (this.admitted < this.limit && !this.queue.isEmpty()) {
				this.queue.remove().wake(admit());
			}
			QueuedThread first = this.queue.peek();
			if (first != null) {
				first.noLongerNext();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private Turn admit() {
		LockEngine engine = (this.admitted > 0) ? this.queueingEngine : null;
		this.admitted++;
		return (engine != null) ? new Turn.Ask(engine) : ASK;
	}

	/**
	 * Counts the threads that use this queue; called under the lock of its map entry.
	 * @param more how many more
	 * @return how many there are
	 */
	int users(int more) {
		this.users += more;
		return this.users;
	}

}
