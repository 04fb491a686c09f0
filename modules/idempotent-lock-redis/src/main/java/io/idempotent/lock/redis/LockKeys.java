package io.idempotent.lock.redis;

/**
 * The keys of a lock in Redis, and its channel: those of Redisson's own lock of the same
 * name, beside the keys of readers. All have the same hash tag, so a Redis Cluster keeps
 * them together.
 *
 * @param lock the hash of its owners
 */
record LockKeys(String lock) {

	String channel() {
		return prefixed("redisson_lock__channel");
	}

	String token() {
		return prefixed("redisson_lock_token");
	}

	String queue() {
		return prefixed("redisson_lock_queue");
	}

	String timeouts() {
		return prefixed("redisson_lock_timeout");
	}

	/**
	 * The readers that hold the lock, or whose turn it is, by the end of their leases or
	 * turns. Unless it is empty, the key of the lock has the field {@code readers}, so
	 * that Redisson's own locks see the readers.
	 */
	String readers() {
		return prefixed("redisson_lock_readers");
	}

	/** The readers that wait, by the time until which they count. */
	String waitingReaders() {
		return prefixed("redisson_lock_waiting_readers");
	}

	/** The writers that wait without a place, by the time until which they count. */
	String waitingWriters() {
		return prefixed("redisson_lock_waiting_writers");
	}

	private String prefixed(String prefix) {
		return this.lock.contains("{") ? prefix + ":" + this.lock : prefix + ":{" + this.lock + "}";
	}

}
