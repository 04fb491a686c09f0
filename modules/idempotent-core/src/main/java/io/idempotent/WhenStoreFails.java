package io.idempotent;

/**
 * What a submission does while the store cannot be reached.
 */
public enum WhenStoreFails {

	/** As {@code idempotent.defaults.when-store-fails} says, which is never DEFAULT. */
	DEFAULT,

	/** 503 {@code store-unavailable} with {@code Retry-After}; nothing runs. */
	REJECT,

	/**
	 * Runs without protection; every such run is reported to the listeners and logged. A
	 * duplicate that was waiting for a running operation is still refused, and so is a
	 * submission on an interrupted thread, or whose lease has ended before it began.
	 */
	PROCEED

}
