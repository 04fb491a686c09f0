package io.idempotent.lock.internal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentMap;

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
final class LocalLockQueue {

	/** How many hand-offs in a row there are before other nodes get a chance. */
	static final int MAX_HAND_OFFS = 16;

	private final ConcurrentMap<String, LocalLockQueue> queues;

	private final String name;

	private final Queue<QueuedRequest> waiters = new ArrayDeque<>();

	private int admitted;

	private int limit = 1;

	/** The engine in whose queue the threads beyond the first one wait. */
	private @Nullable LockEngine queueingEngine;

	private int handOffs;

	private LocalLockQueue(ConcurrentMap<String, LocalLockQueue> queues, String name) {
		this.queues = queues;
		this.name = name;
	}

	/** Admits or queues the current thread. An unused queue is not in the map. */
	static LocalLockQueue enter(ConcurrentMap<String, LocalLockQueue> queues, QueuedRequest request) {
		return queues.compute(request.queueName(), (name, existing) -> {
			LocalLockQueue queue = (existing != null) ? existing : new LocalLockQueue(queues, name);
			queue.admitOrQueue(request);
			return queue;
		});
	}

	/**
	 * An attempt without waiting is not queued, and need not call the engine if the lock
	 * is held here.
	 */
	private synchronized void admitOrQueue(QueuedRequest request) {
		if (this.admitted < (request.isOneAttempt() ? 1 : this.limit)) {
			admit(request);
		}
		else if (!request.isOneAttempt()) {
			this.waiters.add(request);
		}
	}

	/** Returns false if not admitted in time; throws only if interruptible. */
	boolean awaitAdmission(QueuedRequest request) throws InterruptedException {
		return request.isAdmitted() || (!request.isOneAttempt() && await(request));
	}

	private boolean await(QueuedRequest request) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request.toEngine())) {
			while (!request.isAdmitted()) {
				if (!waiting.await(request.nanosLeft(), request::awaitChange)) {
					if (giveUp(request, false)) {
						return false;
					}
					// The holder is handing its grant off, and waits for the engine.
					waiting.await(QueuedRequest.FOREVER, (left) -> request.isAdmitted() || request.awaitChange(left));
				}
			}
			return true;
		}
		catch (InterruptedException ex) {
			if (giveUp(request, true)) {
				throw ex;
			}
			// It was admitted before.
			Thread.currentThread().interrupt();
			return true;
		}
	}

	/**
	 * Lets a waiter wait no more, unless it is admitted. One that is next may get the
	 * grant, and gives up only if interrupted.
	 */
	private synchronized boolean giveUp(QueuedRequest waiter, boolean interrupted) {
		return waiter.mayGiveUp(interrupted) && this.waiters.remove(waiter);
	}

	/**
	 * Chooses the waiter for a hand-off, unless other nodes are to get a chance. It waits
	 * past its deadline, unless it is interrupted, until {@link #handOff} or
	 * {@link #leave} is called.
	 */
	synchronized @Nullable QueuedRequest chooseNext() {
		QueuedRequest first = this.waiters.peek();
		if (first == null || this.handOffs >= MAX_HAND_OFFS) {
			return null;
		}
		first.becomeNext();
		return first;
	}

	/** Admits the waiter in place of the current thread; false if it no longer waits. */
	synchronized boolean handOff(QueuedRequest nextWaiter, HeldLease granted) {
		if (this.waiters.peek() != nextWaiter) {
			return false;
		}
		this.waiters.remove();
		this.handOffs++;
		nextWaiter.admit(null, granted);
		return true;
	}

	/** While the lock is held, admits one more thread, to the queue of this engine. */
	synchronized void admitToQueueOf(LockEngine engine) {
		this.queueingEngine = engine;
		change(0, 1);
	}

	/** Wakes all threads that wait, which find out why when they ask the engine. */
	synchronized void admitAll() {
		while (!this.waiters.isEmpty()) {
			admit(this.waiters.remove());
		}
	}

	/**
	 * Ends an admission: the next thread is admitted, or the queue is removed. Undoes
	 * {@link #admitToQueueOf} if it was called. Not called after {@link #handOff}, which
	 * passes the admission on.
	 */
	void leave(boolean hasAdmittedAnother) {
		change(-1, hasAdmittedAnother ? -1 : 0);
		this.queues.computeIfPresent(this.name, (key, queue) -> queue.isUnused() ? null : queue);
	}

	private synchronized boolean isUnused() {
		return this.admitted == 0 && this.waiters.isEmpty();
	}

	private synchronized void change(int admitted, int limit) {
		this.handOffs = 0;
		this.admitted += admitted;
		this.limit += limit;
		while (this.admitted < this.limit && !this.waiters.isEmpty()) {
			admit(this.waiters.remove());
		}
		QueuedRequest first = this.waiters.peek();
		if (first != null) {
			first.noLongerNext();
		}
	}

	private void admit(QueuedRequest request) {
		request.admit((this.admitted > 0) ? this.queueingEngine : null, null);
		this.admitted++;
	}

}
