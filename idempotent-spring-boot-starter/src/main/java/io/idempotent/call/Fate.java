package io.idempotent.call;

/**
 * What became of the transaction that a call was made in.
 */
public enum Fate {

	/** It was committed, or there was none: what the call says of itself holds. */
	COMMITTED,

	/** It was rolled back. */
	ROLLED_BACK,

	/** Nobody knows. */
	UNKNOWN

}
