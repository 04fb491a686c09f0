package io.idempotent.lock.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The gates of all names that somebody uses right now.
 */
final class LocalLockQueues {

	private final ConcurrentMap<String, LocalLockQueue> gates = new ConcurrentHashMap<>();

	private volatile boolean closed;

	LocalLockQueue enter(String name) {
		LocalLockQueue entered = this.gates.compute(name, (key, existing) -> {
			LocalLockQueue gate = (existing != null) ? existing : new LocalLockQueue();
			gate.users(1);
			return gate;
		});
		if (this.closed) {
			entered.close();
		}
		return entered;
	}

	void leave(String name) {
		this.gates.computeIfPresent(name, (key, gate) -> (gate.users(-1) == 0) ? null : gate);
	}

	/**
	 * One that was let through is done.
	 * @param name the lock
	 * @param gate its gate
	 * @param widened whether it has let another one through
	 */
	void open(String name, LocalLockQueue gate, boolean widened) {
		gate.open(widened);
		leave(name);
	}

	/**
	 * Lets nobody through any gate any more.
	 */
	void close() {
		this.closed = true;
		this.gates.values().forEach(LocalLockQueue::close);
	}

	boolean isClosed() {
		return this.closed;
	}

	int size() {
		return this.gates.size();
	}

}
