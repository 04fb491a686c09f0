package io.idempotent.lock.redisson;

import org.redisson.api.RedissonClient;

/**
 * The keys and the channel of a lock, which are those of Redisson's own lock of the same
 * name, and the keys of readers. The client's name mapper maps the name to the key.
 */
record LockKeys(String name, String key) {

	static LockKeys of(RedissonClient client, String name) {
		// Only a topic exposes its mapped name.
		return new LockKeys(name, client.getTopic(name).getChannelNames().get(0));
	}

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

	/** All keys have the same hash tag, so a Redis Cluster keeps them together. */
	private String prefixed(String prefix) {
		return this.key.contains("{") ? prefix + ":" + this.key : prefix + ":{" + this.key + "}";
	}

}
