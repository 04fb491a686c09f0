package io.idempotent.store;

/**
 * The kind of a release.
 */
public enum Release {

	/**
	 * No effect took place: the record returns to the state before the claim, issued or
	 * absent.
	 */
	NO_EFFECT,

	/**
	 * The lease ends at once, and the outcome is unknown from now on.
	 */
	UNKNOWN

}
