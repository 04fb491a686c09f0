package io.idempotent.lock.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Lets one thread of this JVM through to the engine for one name; the others queue here
 * in the order of their arrival and cost the engine nothing. It stays closed while the
 * lock is held. Whoever ends the hold opens it, which lets the next one through to ask
 * the engine: the holder, or the watch that finds the lease lost. A holder may also bring
 * the next one a grant, so that it need not ask; and where the engine keeps a line, the
 * next one is let through to stand in it as soon as the lock is held.
 */
final class LocalLockQueue {

	/**
	 * How many grants in a row may be handedOver to threads of this JVM. Then the lock is
	 * released, and other nodes have their chance.
	 */
	static final int LONGEST_SUCCESSION = 16;

	/** Of the queue; held for a few instructions. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<Waiter> queue = new ArrayDeque<>();

	/** How many have been let through and are not done. */
	private int inside;

	/** How many may be. */
	private int places = 1;

	/** The engine in whose line the places beyond the first one are. */
	private @Nullable LockEngine line;

	private int handOffCount;

	private boolean closed;

	/** How many threads know this gate; changed under the lock of its map entry. */
	private int users;

	/**
	 * Waits to be let through.
	 * @param wish what the thread wants
	 * @param deadline how long it waits
	 * @return how it was let through, or {@code null} if it was not
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * wish is interruptible
	 */
	@Nullable Admission pass(AcquireRequest wish, Deadline deadline) throws InterruptedException {
		Waiter waiter;
		this.lock.lock();
		try {
			if (this.closed) {
				return Admission.CLOSED;
			}
			// The attempt that does not wait asks nothing about a lock that is held here.
			if (this.inside < ((deadline == Deadline.NOW) ? 1 : this.places)) {
				return admit();
			}
			if (deadline == Deadline.NOW) {
				return null;
			}
			waiter = new Waiter(wish, Thread.currentThread());
			this.queue.add(waiter);
		}
		finally {
			this.lock.unlock();
		}
		return await(waiter, deadline);
	}

	private @Nullable Admission await(Waiter waiter, Deadline deadline) throws InterruptedException {
		boolean overdue = false;
		boolean interrupted = false;
		try {
			while (waiter.passage == null) {
				if (Thread.interrupted()) {
					if (waiter.wish.interruptible() && quit(waiter, true)) {
						throw new InterruptedException();
					}
					// It waits through interrupts, or was let through before this one.
					interrupted = true;
				}
				if (!overdue && deadline.nanosLeft() == 0) {
					if (quit(waiter, false)) {
						return null;
					}
					// A grant is on its way, and an answer of the engine is waited for.
					overdue = true;
				}
				park(overdue ? Deadline.NEVER : deadline);
			}
			return waiter.passage;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void park(Deadline deadline) {
		if (deadline == Deadline.NEVER) {
			LockSupport.park(this);
		}
		else {
			LockSupport.parkNanos(this, deadline.nanosLeft());
		}
	}

	private boolean quit(Waiter waiter, boolean interrupted) {
		this.lock.lock();
		try {
			return waiter.passage == null && (interrupted || !waiter.isHeir) && this.queue.remove(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Who is to be handedOver a grant, if that can be done: until it is handedOver, or
	 * the gate is opened, it waits beyond its deadline, but not beyond an interrupt.
	 * @return the first in the queue, or {@code null} if there is none, or if it is the
	 * turn of other nodes
	 */
	@Nullable Waiter nextWaiter() {
		this.lock.lock();
		try {
			Waiter first = this.queue.peek();
			if (first == null || this.handOffCount >= LONGEST_SUCCESSION) {
				return null;
			}
			first.isHeir = true;
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Brings a grant, and leaves the gate closed.
	 * @param nextWaiter to whom
	 * @param grant what was granted
	 * @return whether it was still waiting
	 */
	boolean handOver(Waiter nextWaiter, Admission.Granted grant) {
		this.lock.lock();
		try {
			if (this.queue.peek() != nextWaiter) {
				return false;
			}
			this.queue.remove();
			this.handOffCount++;
			nextWaiter.letThrough(grant);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets one more through while the lock is held.
	 * @param line the engine that grants it, and has the next one wait until it ends
	 */
	void widen(LockEngine line) {
		this.lock.lock();
		try {
			this.line = line;
			change(0, 1);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets nobody through any more, and tells those who wait.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.queue.forEach((waiter) -> waiter.letThrough(Admission.CLOSED));
			this.queue.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One that was let through is done.
	 * @param widened whether it has let another one through
	 */
	void open(boolean widened) {
		change(-1, widened ? -1 : 0);
	}

	private void change(int inside, int places) {
		this.lock.lock();
		try {
			this.handOffCount = 0;
			this.inside += inside;
			this.places += places;
			while (this.inside < this.places && !this.queue.isEmpty()) {
				this.queue.remove().letThrough(admit());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Counts the threads that know this gate; called under the lock of its map entry.
	 * @param more how many more
	 * @return how many there are
	 */
	int users(int more) {
		this.users += more;
		return this.users;
	}

	private Admission admit() {
		LockEngine held = (this.inside > 0) ? this.line : null;
		this.inside++;
		return (held != null) ? new Admission.Behind(held) : Admission.OPEN;
	}

	/**
	 * A thread in the queue.
	 */
	static final class Waiter {

		private final AcquireRequest wish;

		private final Thread thread;

		private volatile @Nullable Admission passage;

		private boolean isHeir;

		private Waiter(AcquireRequest wish, Thread thread) {
			this.wish = wish;
			this.thread = thread;
		}

		AcquireRequest wish() {
			return this.wish;
		}

		private void letThrough(Admission passage) {
			this.passage = passage;
			LockSupport.unpark(this.thread);
		}

	}

	/**
	 * How a thread is let through.
	 */
	sealed interface Admission {

		/** It has to ask the engine. */
		Admission OPEN = new Open();

		/** It is not: there are no locks any more. */
		Admission CLOSED = new Closed();

		/**
		 * Without a grant.
		 */
		record Open() implements Admission {
		}

		/**
		 * Not at all.
		 */
		record Closed() implements Admission {
		}

		/**
		 * Without a grant, while another thread holds the lock: so that they exclude each
		 * other whatever engine is chosen meanwhile, it has to ask the same engine first.
		 *
		 * @param engine who granted the lock to the other one
		 */
		record Behind(LockEngine engine) implements Admission {
		}

		/**
		 * With a grant.
		 *
		 * @param engine who granted it
		 * @param grant the grant
		 * @param askedAt when it was asked for
		 */
		record Granted(LockEngine engine, LockGrant grant, long askedAt) implements Admission {
		}

	}

}
