package io.idempotent.lock.engine;

/**
 * How the acquisition of a lock ended.
 */
public enum AcquisitionOutcome {

	/** The lock was obtained. */
	OBTAINED("obtained"),

	/** The lock was not obtained in time, since another holder had it. */
	NOT_OBTAINED("not-obtained"),

	/** The engine was unavailable, or the locks of the application were closed. */
	UNAVAILABLE("unavailable"),

	/** The waiting thread was interrupted. */
	INTERRUPTED("interrupted"),

	/** An unexpected exception ended the acquisition. */
	ERROR("error");

	private final String code;

	AcquisitionOutcome(String code) {
		this.code = code;
	}

	/** The code in metrics and spans: lower case words, joined by hyphens. */
	public String code() {
		return this.code;
	}

}
