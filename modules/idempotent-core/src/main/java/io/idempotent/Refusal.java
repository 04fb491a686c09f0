package io.idempotent;

/**
 * Why a submission was not run and got no stored answer. The {@link #code()} is the same
 * in answers, events, metrics and documents. The reasons about locks apply to any call
 * that needs a lock, idempotent or not.
 */
public enum Refusal {

	/** The operation is completed, and does not replay. */
	DUPLICATE("duplicate"),

	/** The operation is completed, and its answer is not available: a tombstone. */
	RESPONSE_UNAVAILABLE("response-unavailable"),

	/** The key was used for a submission with different content. */
	KEY_REUSED("key-reused"),

	/** The operation is running. */
	IN_PROGRESS("in-progress"),

	/**
	 * The owner has stopped renewing its claim; it is unknown whether the operation took
	 * effect.
	 */
	OUTCOME_UNKNOWN("outcome-unknown"),

	/** The submission has no key. */
	KEY_MISSING("key-missing"),

	/** The key is not valid. */
	KEY_MALFORMED("key-malformed"),

	/** The token was never issued, has expired, or is not this caller's. */
	TOKEN_UNKNOWN("token-unknown"),

	/**
	 * The caller is authenticated and has no name, so that it cannot be distinguished
	 * from others.
	 */
	CALLER_UNNAMED("caller-unnamed"),

	/** The body is too large to be compared, or has too many values. */
	BODY_TOO_LARGE("body-too-large"),

	/** A filter of the application has read the body and does not pass it on. */
	BODY_UNREADABLE("body-unreadable"),

	/** The store cannot be reached. */
	STORE_UNAVAILABLE("store-unavailable"),

	/** The record is corrupt or was written by a newer version. */
	RECORD_UNREADABLE("record-unreadable"),

	/** Another owner holds the lock that the call needs. */
	LOCKED("locked"),

	/** The lock engine that the call needs is unavailable. */
	LOCK_UNAVAILABLE("lock-unavailable"),

	/**
	 * The call lost its lock while it ran. It may have taken effect, and another call may
	 * have run at the same time.
	 */
	LOCK_LOST("lock-lost"),

	/** The call lost its lock while it ran, and was rolled back for that reason. */
	LOCK_LOST_ROLLED_BACK("lock-lost-rolled-back");

	private final String code;

	Refusal(String code) {
		this.code = code;
	}

	/** The code in answers and metrics: lower case words, joined by hyphens. */
	public String code() {
		return this.code;
	}

}
