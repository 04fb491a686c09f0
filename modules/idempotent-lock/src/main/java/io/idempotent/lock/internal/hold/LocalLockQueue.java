package io.idempotent.lock.internal.hold;

import java.util.ArrayDeque;
import java.util.Queue;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this JVM that want the same lock, in the order of their arrival. One is
 * admitted: it calls the engine, and stays admitted until it has released the lock (a
 * reader only until the engine has granted the lock), or its lease is found to have
 * ended.
 *
 * <p>
 * There are two short cuts: the holder may hand its grant off to the next thread, and if
 * the engine has a queue of its own, the next thread is admitted to that while the lock
 * is held. The fields {@code limit} and {@code queueingEngine} matter only for the second
 * one, with an engine that {@linkplain LockEngine#queuesWaiters() queues waiters}, such
 * as ZooKeeper. Its own lock is held for a few instructions.
 */
public final class LocalLockQueue {

	/** How many hand-offs in a row there are before other nodes get a chance. */
	public static final int MAX_HAND_OFFS = 16;

	private final LocalLockQueues queues;

	private final String name;

	private final Queue<QueuedRequest> queue = new ArrayDeque<>();

	private int admitted;

	private int limit = 1;

	/** The engine in whose queue the threads beyond the first one wait. */
	private @Nullable LockEngine queueingEngine;

	private int handOffs;

	private boolean closed;

	/** How many threads use this queue; changed under the lock of its map entry. */
	private int users;

	public LocalLockQueue(LocalLockQueues queues, String name) {
		this.queues = queues;
		this.name = name;
	}

	/** Returns false if not admitted in time; throws only if interruptible. */
	public boolean enter(QueuedRequest request) throws InterruptedException {
		return admitOrQueue(request) || (!request.isOneAttempt() && await(request));
	}

	/**
	 * Returns whether it is admitted. An attempt without waiting is not queued, and need
	 * not call the engine if the lock is held here. If the queue is closed, the thread
	 * finds out before it asks.
	 */
	private synchronized boolean admitOrQueue(QueuedRequest request) {
		if (this.closed || this.admitted < (request.isOneAttempt() ? 1 : this.limit)) {
			admit(request);
			return true;
		}
		if (!request.isOneAttempt()) {
			this.queue.add(request);
		}
		return false;
	}

	private boolean await(QueuedRequest request) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request.toEngine())) {
			while (!request.isAdmitted()) {
				if (!waiting.await(request.nanosLeft(), request::awaitChange)) {
					if (quit(request, false)) {
						return false;
					}
					// The holder is handing its grant off, and waits for the engine.
					waiting.await(QueuedRequest.FOREVER, (left) -> request.isAdmitted() || request.awaitChange(left));
				}
			}
			return true;
		}
		catch (InterruptedException ex) {
			if (quit(request, true)) {
				throw ex;
			}
			// It was admitted before.
			Thread.currentThread().interrupt();
			return true;
		}
	}

	/** A waiter that is next quits only if interrupted, as it may get the grant. */
	private synchronized boolean quit(QueuedRequest waiter, boolean interrupted) {
		return waiter.mayQuit(interrupted) && this.queue.remove(waiter);
	}

	/**
	 * Chooses the waiter for a hand-off, unless other nodes are to get a chance. It waits
	 * past its deadline, unless it is interrupted, until {@link #handOff} or
	 * {@link #leave} is called.
	 */
	synchronized @Nullable QueuedRequest nextWaiter() {
		QueuedRequest first = this.queue.peek();
		if (first == null || this.handOffs >= MAX_HAND_OFFS) {
			return null;
		}
		first.becomeNext();
		return first;
	}

	/** Admits the waiter in place of the current thread; false if it no longer waits. */
	public synchronized boolean handOff(QueuedRequest nextWaiter, HeldLease granted) {
		if (this.queue.peek() != nextWaiter) {
			return false;
		}
		this.queue.remove();
		this.handOffs++;
		nextWaiter.admit(null, granted);
		return true;
	}

	/** While the lock is held, admits one more thread, to the queue of this engine. */
	synchronized void admitToQueueOf(LockEngine engine) {
		this.queueingEngine = engine;
		change(0, 1);
	}

	/** Wakes the threads that wait, and lets none wait any more. */
	synchronized void close() {
		this.closed = true;
		while (!this.queue.isEmpty()) {
			admit(this.queue.remove());
		}
	}

	/** Admits the next thread; undoes {@link #admitToQueueOf} if it was called. */
	public void leave(boolean hasAdmittedAnother) {
		change(-1, hasAdmittedAnother ? -1 : 0);
		withdraw();
	}

	/** For a thread that is not admitted, or whose place another one has taken over. */
	void withdraw() {
		this.queues.leave(this.name);
	}

	private synchronized void change(int admitted, int limit) {
		this.handOffs = 0;
		this.admitted += admitted;
		this.limit += limit;
		while (this.admitted < this.limit && !this.queue.isEmpty()) {
			admit(this.queue.remove());
		}
		QueuedRequest first = this.queue.peek();
		if (first != null) {
			first.noLongerNext();
		}
	}

	private void admit(QueuedRequest request) {
		request.admit((this.admitted > 0) ? this.queueingEngine : null, null);
		this.admitted++;
	}

	/** Called under the lock of the map entry. */
	int users(int more) {
		this.users += more;
		return this.users;
	}

}
