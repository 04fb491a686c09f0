package io.idempotent.transaction;

/**
 * What became of a transaction, or of the part of it that began at some point. Loads
 * without spring-tx.
 */
public enum TransactionOutcome {

	/** It has not completed, and was not rolled back to a savepoint from before. */
	OPEN,

	/** It was committed. */
	COMMITTED,

	/** It was rolled back, or rolled back to a savepoint from before. */
	ROLLED_BACK,

	/** It completed, but whether it was committed is not known. */
	IN_DOUBT

}
