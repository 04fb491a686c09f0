package io.idempotent;

/**
 * Whether an operation leaves a receipt in the application's database with what it
 * commits there, so that no second effect is ever committed.
 */
public enum ReceiptMode {

	/** If receipts are enabled: with {@code idempotent.guard.enabled}. */
	DEFAULT,

	/** Always: if receipts are not enabled, the application does not start. */
	ON,

	/**
	 * Never: its effect can be committed twice. For an operation whose effect is not in
	 * its transactions, or that a repeat may continue.
	 */
	OFF

}
