package io.idempotent;

/**
 * What a submission does if the owner of the operation has stopped renewing its claim:
 * the lease ended before an outcome was recorded.
 */
public enum WhenUnknown {

	/** As {@code idempotent.defaults.when-unknown} says, which is never DEFAULT. */
	DEFAULT,

	/**
	 * Claims the operation again and runs it. Choose it if running twice is better than
	 * not at all, or if the database prevents a second effect.
	 */
	RERUN,

	/** 409 {@code outcome-unknown} until the retention has passed. */
	REJECT,

	/**
	 * Claims the operation again and asks the application's {@link OutcomeVerifier} bean
	 * before anything runs.
	 */
	ASK

}
