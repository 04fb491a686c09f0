package io.idempotent.store;

/**
 * The state of an operation's record.
 */
public enum RecordState {

	/** There is no record: the operation never ran, was released, or has expired. */
	ABSENT,

	/** The key was issued, or released by an operator, and may be claimed. */
	ISSUED,

	/** An owner holds the claim, and its lease has not ended. */
	IN_PROGRESS,

	/**
	 * The owner has stopped renewing its claim, or has reported that it does not know the
	 * outcome.
	 */
	UNKNOWN,

	/** The operation took effect. */
	COMPLETED

}
