package io.idempotent;

/**
 * What a submission does that meets an operation whose owner stopped renewing its claim:
 * the lease ran out and nobody said how the operation ended.
 */
public enum WhenUnknown {

	/**
	 * As {@code idempotent.defaults.when-unknown} says; not a value for that property
	 * itself.
	 */
	DEFAULT,

	/**
	 * Claims the operation again and runs it. Right where running twice is better than
	 * not at all, or where the database has the last word.
	 */
	RERUN,

	/**
	 * 409 {@code outcome-unknown} until the retention has passed.
	 */
	REJECT,

	/**
	 * Claims the operation again and asks the application's {@link OutcomeVerifier} bean
	 * before anything runs.
	 */
	ASK

}
