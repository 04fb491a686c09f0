package io.idempotent.store;

/**
 * How a claim is given up.
 */
public enum Release {

	/**
	 * No effect took place: the record goes back to where the claim found it, issued or
	 * absent.
	 */
	NO_EFFECT,

	/**
	 * The lease lapses at once, and the outcome is unknown from now on.
	 */
	UNKNOWN

}
