package io.idempotent.store;

/**
 * The result of a {@link Settlement}.
 */
public enum SettlementResult {

	/** The claim was settled. */
	SETTLED,

	/** The lease of its owner has not ended, and the settlement has no force. */
	ALIVE,

	/**
	 * The record is no longer that claim, or has no lease; nothing was changed. Also the
	 * result of a repeated settlement.
	 */
	CHANGED

}
