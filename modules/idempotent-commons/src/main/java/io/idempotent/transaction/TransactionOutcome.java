package io.idempotent.transaction;

/**
 * The outcome of a transaction, or of the part after some point. Loads without spring-tx.
 */
public enum TransactionOutcome {

	/** It has not completed, and was not rolled back to a savepoint before that point. */
	OPEN,

	COMMITTED,

	/** It was rolled back, or rolled back to a savepoint before that point. */
	ROLLED_BACK,

	/** It has completed, but it is unknown whether it was committed. */
	IN_DOUBT

}
