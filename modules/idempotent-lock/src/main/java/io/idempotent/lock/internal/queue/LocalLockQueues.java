package io.idempotent.lock.internal.queue;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The queues of all locks that threads of this JVM hold or wait for.
 */
public final class LocalLockQueues {

	private final ConcurrentMap<String, LocalLockQueue> queues = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/**
	 * Finds or creates the queue of a lock, which then counts the current thread.
	 * @param name the lock
	 */
	public LocalLockQueue join(String name) {
		LocalLockQueue joined = this.queues.compute(name, (key, existing) -> {
			LocalLockQueue queue = (existing != null) ? existing : new LocalLockQueue();
			queue.users(1);
			return queue;
		});
		if (this.closed) {
			joined.close();
		}
		return joined;
	}

	/**
	 * No longer counts a thread that joined, but is not admitted. A queue without threads
	 * is removed.
	 * @param name the lock
	 */
	public void leave(String name) {
		this.queues.computeIfPresent(name, (key, queue) -> (queue.users(-1) == 0) ? null : queue);
	}

	/**
	 * Ends the admission of a thread, and no longer counts it.
	 * @param name the lock
	 * @param queue its queue
	 * @param admittedToEngine whether the thread has admitted another one to the queue of
	 * the engine
	 */
	public void leave(String name, LocalLockQueue queue, boolean admittedToEngine) {
		queue.leave(admittedToEngine);
		leave(name);
	}

	/**
	 * Stops admitting threads to any queue.
	 */
	public void close() {
		this.closed = true;
		this.queues.values().forEach(LocalLockQueue::close);
	}

	public boolean isClosed() {
		return this.closed;
	}

	public int size() {
		return this.queues.size();
	}

}
