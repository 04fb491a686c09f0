package io.idempotent.lock.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The threads of this JVM that want the same lock. One of them is admitted and asks the
 * engine; the others wait here, in the order of their arrival, and cost the engine
 * nothing.
 *
 * <p>
 * The thread that is admitted stays admitted while it holds the lock. When it releases
 * the lock, or its lease is found to have ended, the next one is admitted. There are two
 * short cuts. The holder may hand its grant over to the next thread, which then need not
 * ask the engine. And if the engine has a queue of its own, the next thread is admitted
 * to that queue as soon as the lock is held.
 */
final class LocalLockQueue {

	/**
	 * How many grants in a row may be handed over to threads of this JVM. Then the lock
	 * is released, so that other nodes get a chance.
	 */
	static final int MAX_HAND_OFFS = 16;

	/** Guards the fields below; held for a few instructions. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<Waiter> queue = new ArrayDeque<>();

	/** How many threads are admitted. */
	private int admitted;

	/** How many threads may be admitted. */
	private int limit = 1;

	/** The engine in whose queue the threads beyond the first one wait. */
	private @Nullable LockEngine queueingEngine;

	private int handOffCount;

	/** The thread that was admitted last, its request, and since when it waits. */
	private @Nullable Thread asking;

	private @Nullable AcquireRequest askedFor;

	private long askingSince;

	/** The lock that was granted last, which may be over. */
	private volatile @Nullable HeldLock holder;

	private boolean closed;

	/** How many threads use this queue; changed under the lock of its map entry. */
	private int users;

	/**
	 * Waits until the current thread is admitted.
	 * @param request what the thread wants
	 * @param deadline how long it waits
	 * @param since since when it waits, by {@link System#nanoTime()}
	 * @return how it is admitted, or {@code null} if it was not in time
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request is interruptible
	 */
	@Nullable Admission enter(AcquireRequest request, Deadline deadline, long since) throws InterruptedException {
		Waiter waiter;
		this.lock.lock();
		try {
			if (this.closed) {
				return Admission.CLOSED;
			}
			// An attempt that does not wait need not ask about a lock that is held here.
			if (this.admitted < ((deadline == Deadline.NOW) ? 1 : this.limit)) {
				return admit(Thread.currentThread(), request, since);
			}
			if (deadline == Deadline.NOW) {
				return null;
			}
			waiter = new Waiter(this, request, Thread.currentThread(), since);
			this.queue.add(waiter);
		}
		finally {
			this.lock.unlock();
		}
		return waiter.await(deadline);
	}

	/**
	 * Takes a waiter out of the queue, unless it is admitted, or may be handed the grant
	 * at any moment.
	 * @param waiter the waiter
	 * @param interrupted whether it was interrupted, so that it does not wait for a grant
	 * @return whether it waits no longer
	 */
	boolean quit(Waiter waiter, boolean interrupted) {
		this.lock.lock();
		try {
			return waiter.mayQuit(interrupted) && this.queue.remove(waiter);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Chooses the waiter that the grant is handed over to. It waits from now on even if
	 * its deadline passes, though not if it is interrupted, until either
	 * {@link #handOver} or {@link #leave} is called.
	 * @return the first waiter, or {@code null} if there is none or if other nodes are to
	 * get a chance
	 */
	@Nullable Waiter nextWaiter() {
		this.lock.lock();
		try {
			Waiter first = this.queue.peek();
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
	 * @param grant the grant
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
			if (!isAsking()) {
				asks(nextWaiter.thread(), nextWaiter.request(), nextWaiter.since());
			}
			nextWaiter.admit(grant);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the thread which was admitted holds the lock.
	 * @param held the lock
	 */
	void heldBy(HeldLock held) {
		this.holder = held;
	}

	/**
	 * The lock that a thread of this JVM holds.
	 * @return the lock, or {@code null} if none does
	 */
	@Nullable HeldLock holder() {
		HeldLock held = this.holder;
		return (held != null && !held.isOver()) ? held : null;
	}

	/**
	 * The threads that wait, here or for the engine.
	 * @return the threads in the order in which they will be served
	 */
	List<Waiting> waiting() {
		List<Waiting> waiting = new ArrayList<>();
		this.lock.lock();
		try {
			Thread thread = this.asking;
			AcquireRequest request = this.askedFor;
			if (thread != null && request != null && isAsking()) {
				waiting.add(new Waiting(request, thread, this.askingSince));
			}
			this.queue.forEach((waiter) -> waiting.add(new Waiting(waiter.request(), waiter.thread(), waiter.since())));
			return waiting;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Admits one more thread while the lock is held, to the queue of the engine.
	 * @param engine the engine that granted the lock
	 */
	void admitToQueueOf(LockEngine engine) {
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
	 * Admits no thread any more; those that wait are woken.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.queue.forEach((waiter) -> waiter.admit(Admission.CLOSED));
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
	void leave(boolean admittedToEngine) {
		change(-1, admittedToEngine ? -1 : 0);
	}

	private void change(int admitted, int limit) {
		this.lock.lock();
		try {
			this.handOffCount = 0;
			this.admitted += admitted;
			this.limit += limit;
			if (admitted < 0 && this.asking == Thread.currentThread()) {
				noLongerAsking();
			}
			while (this.admitted < this.limit && !this.queue.isEmpty()) {
				Waiter next = this.queue.remove();
				next.admit(admit(next.thread(), next.request(), next.since()));
			}
			Waiter first = this.queue.peek();
			if (first != null) {
				first.noLongerNext();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the thread that was admitted last does not hold the lock yet.
	 */
	private boolean isAsking() {
		Thread thread = this.asking;
		HeldLock last = this.holder;
		return thread != null && (last == null || !last.wasAcquiredBy(thread, this.askingSince));
	}

	private void asks(Thread thread, AcquireRequest request, long since) {
		this.asking = thread;
		this.askedFor = request;
		this.askingSince = since;
	}

	private void noLongerAsking() {
		this.asking = null;
		this.askedFor = null;
	}

	private Admission admit(Thread thread, AcquireRequest request, long since) {
		asks(thread, request, since);
		LockEngine engine = (this.admitted > 0) ? this.queueingEngine : null;
		this.admitted++;
		return (engine != null) ? new Admission.AskSameEngine(engine) : Admission.ASK_ENGINE;
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

	/**
	 * A thread that waits, as operators see it.
	 *
	 * @param request what it wants
	 * @param thread the thread
	 * @param since since when it waits, by {@link System#nanoTime()}
	 */
	record Waiting(AcquireRequest request, Thread thread, long since) {
	}

}
