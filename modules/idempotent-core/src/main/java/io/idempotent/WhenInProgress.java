package io.idempotent;

/**
 * What a duplicate of a running operation gets.
 */
public enum WhenInProgress {

	/**
	 * As {@code idempotent.defaults.when-in-progress} says. If it is not set,
	 * {@link #WAIT} for operations with a form token ({@link KeySource#TOKEN}), otherwise
	 * {@link #REJECT}.
	 */
	DEFAULT,

	/** 409 {@code in-progress} with {@code Retry-After}, at once. */
	REJECT,

	/**
	 * Waits for the running operation to end, then gets its answer. Bounded in time by
	 * {@link ApiIdempotent#waitTimeout()} and in threads by
	 * {@code idempotent.wait.max-waiters}; beyond either bound as {@link #REJECT}.
	 */
	WAIT

}
