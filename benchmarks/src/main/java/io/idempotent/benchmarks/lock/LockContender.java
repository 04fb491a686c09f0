package io.idempotent.benchmarks.lock;

/**
 * One kind of lock.
 *
 * @param name how tables call it
 * @param role what it is here for
 * @param guard the lock
 */
record LockContender(String name, Role role, Guard guard) {

	boolean is(Role role) {
		return this.role == role;
	}

	/**
	 * The name of one of its locks. Those of contenders differ, or Redisson's and ours
	 * would be the same.
	 * @param number which one
	 * @return the name
	 */
	String lockName(int number) {
		return "bench:" + this.name.replaceAll("[^A-Za-z0-9]", "-") + ":" + number;
	}

	/**
	 * What a contender is here for.
	 */
	enum Role {

		/** This library. */
		OURS(true),

		/** This library, with a lock that ends with a transaction. */
		OURS_WITHOUT_WAITING(false),

		/** The client that ours is built on, and the limit. */
		RAW(true),

		/** What a user might pick instead. */
		PEER(true),

		/** The same, but it never waits for a holder. */
		PEER_WITHOUT_WAITING(false),

		/** Does less, and is here for comparison. */
		BESIDE(true);

		private final boolean waits;

		Role(boolean waits) {
			this.waits = waits;
		}

		boolean waits() {
			return this.waits;
		}

		boolean isRival() {
			return this == RAW || this == PEER || this == PEER_WITHOUT_WAITING;
		}

	}

}
