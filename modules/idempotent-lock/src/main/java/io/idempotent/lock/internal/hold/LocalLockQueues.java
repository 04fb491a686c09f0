package io.idempotent.lock.internal.hold;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The queues of all locks that threads of this JVM hold or wait for.
 */
public final class LocalLockQueues {

	private final ConcurrentMap<String, LocalLockQueue> queues = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/** Finds or creates a queue, which then counts the current thread. */
	public LocalLockQueue join(String name) {
		LocalLockQueue joined = this.queues.compute(name, (key, existing) -> {
			LocalLockQueue queue = (existing != null) ? existing : new LocalLockQueue(this, name);
			queue.users(1);
			return queue;
		});
		if (this.closed) {
			joined.close();
		}
		return joined;
	}

	/** Removes an unused queue. */
	void leave(String name) {
		this.queues.computeIfPresent(name, (key, queue) -> (queue.users(-1) == 0) ? null : queue);
	}

	public void close() {
		this.closed = true;
		this.queues.values().forEach(LocalLockQueue::close);
	}

	boolean isClosed() {
		return this.closed;
	}

	public int size() {
		return this.queues.size();
	}

}
