package io.idempotent.lock.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread of this JVM through to the engine for one name; the others queue here
 * in the order of their arrival and cost the engine nothing. It stays closed while the
 * lock is held, and is opened by whoever ends the hold: the holder, or the watch that
 * finds the lease lost.
 */
final class LocalGate {

	private final Semaphore passage = new Semaphore(1, true);

	/** How many threads know this gate; changed under the lock of its map entry. */
	private int users;

	boolean pass(Deadline deadline) throws InterruptedException {
		if (deadline == Deadline.NEVER) {
			this.passage.acquire();
			return true;
		}
		// Only the untimed attempt overtakes those who queue, as with ReentrantLock.
		return (deadline == Deadline.NOW) ? this.passage.tryAcquire()
				: this.passage.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
	}

	private void open() {
		this.passage.release();
	}

	/**
	 * The gates of all names that somebody uses right now.
	 */
	static final class Gates {

		private final ConcurrentMap<String, LocalGate> gates = new ConcurrentHashMap<>();

		LocalGate enter(String name) {
			return this.gates.compute(name, (key, existing) -> {
				LocalGate gate = (existing != null) ? existing : new LocalGate();
				gate.users++;
				return gate;
			});
		}

		void leave(String name) {
			this.gates.computeIfPresent(name, (key, gate) -> (--gate.users == 0) ? null : gate);
		}

		void open(String name, LocalGate gate) {
			gate.open();
			leave(name);
		}

		int size() {
			return this.gates.size();
		}

	}

}
