package io.idempotent;

/**
 * Whether an operation leaves a receipt in the application's database with what it
 * commits there, so that no second effect is ever committed.
 */
public enum ReceiptMode {

	/**
	 * If there is a guard: with {@code idempotent.guard.enabled}.
	 */
	DEFAULT,

	/**
	 * Always: without a guard the application does not start.
	 */
	ON,

	/**
	 * Never: whatever it commits can be committed again. For an operation whose
	 * transactions are not its effect, or that may be continued by a repeat.
	 */
	OFF

}
