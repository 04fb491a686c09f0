package io.idempotent.store;

/**
 * What an owner's word met.
 */
public enum Ownership {

	/** The record was the owner's and the word was taken, now or before. */
	HELD,

	/** The record is not, or no longer, the owner's; nothing was changed. */
	LOST

}
