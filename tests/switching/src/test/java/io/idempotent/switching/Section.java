package io.idempotent.switching;

/**
 * The time for which a thread believed to hold a lock: from after it was granted, to the
 * last time before a check that found the lock valid. Times are those of
 * {@link System#nanoTime()}, which on Linux is {@code CLOCK_MONOTONIC} and so the same
 * for all processes of a machine.
 *
 * @param node the process that held the lock
 * @param name the lock
 * @param token the fencing token
 * @param engine the engine that granted the lock
 * @param from when the thread was first certain to hold the lock
 * @param to when the thread was last certain to hold the lock
 */
record Section(String node, String name, long token, String engine, long from, long to) {

	/** How a token is divided into epoch and token of the engine. */
	private static final int ENGINE_BITS = 48;

	/**
	 * The epoch in which the lock was granted.
	 * @return the number that the token contains
	 */
	long epoch() {
		return (this.token >>> ENGINE_BITS) + 1;
	}

	Section validAt(long time) {
		return new Section(this.node, this.name, this.token, this.engine, this.from, time);
	}

}
