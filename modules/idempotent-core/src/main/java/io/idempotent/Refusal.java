package io.idempotent;

/**
 * Why a submission was not run and got no stored answer. The {@link #code()} is the same
 * in answers, events, metrics and documents. Those about locks concern any call that
 * needs one, idempotent or not.
 */
public enum Refusal {

	/** It is done already, and the operation does not replay. */
	DUPLICATE("duplicate"),

	/** It is done already, and its answer is not to be had: a tombstone. */
	RESPONSE_UNAVAILABLE("response-unavailable"),

	/** The key stands for a submission with other content. */
	KEY_REUSED("key-reused"),

	/** It is being done. */
	IN_PROGRESS("in-progress"),

	/** Its owner stopped renewing its claim; it is unknown whether it was done. */
	OUTCOME_UNKNOWN("outcome-unknown"),

	/** No key came with the submission. */
	KEY_MISSING("key-missing"),

	/** What came as a key is none. */
	KEY_MALFORMED("key-malformed"),

	/** The token was never issued, has expired, or is not this caller's. */
	TOKEN_UNKNOWN("token-unknown"),

	/**
	 * The caller is authenticated and has no name, so that it cannot be told from others.
	 */
	CALLER_UNNAMED("caller-unnamed"),

	/** The body is too large to be told from another, or has too many values. */
	BODY_TOO_LARGE("body-too-large"),

	/** The store cannot be reached. */
	STORE_UNAVAILABLE("store-unavailable"),

	/** The record is corrupt or was written by a newer version. */
	RECORD_UNREADABLE("record-unreadable"),

	/** Somebody else holds the lock that the call needs. */
	LOCKED("locked"),

	/** The lock that the call needs cannot be asked for. */
	LOCK_UNAVAILABLE("lock-unavailable"),

	/**
	 * The call has lost its lock while it ran. What it did may stand, and somebody else
	 * may have run at the same time.
	 */
	LOCK_LOST("lock-lost"),

	/** The call has lost its lock while it ran, and was rolled back on account of it. */
	LOCK_LOST_ROLLED_BACK("lock-lost-rolled-back");

	private final String code;

	Refusal(String code) {
		this.code = code;
	}

	/**
	 * The code in answers and metrics.
	 * @return lower case words, joined by hyphens
	 */
	public String code() {
		return this.code;
	}

}
