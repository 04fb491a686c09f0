package io.idempotent.store;

/**
 * Whether an owner held the claim that it renewed, completed or released.
 */
public enum Ownership {

	/** The owner held the claim, and the change was made, now or by an earlier call. */
	HELD,

	/** The owner does not hold the claim, or no longer does; nothing was changed. */
	LOST

}
