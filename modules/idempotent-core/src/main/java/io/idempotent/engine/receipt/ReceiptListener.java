package io.idempotent.engine.receipt;

/**
 * Is notified of events of receipts, for metrics. Safe for use by several threads; must
 * neither block nor throw.
 */
@FunctionalInterface
public interface ReceiptListener {

	/** Ignores everything. */
	ReceiptListener NONE = (event) -> {
	};

	/**
	 * Something happened to the receipt of an operation.
	 * @param event what happened
	 */
	void onReceipt(Event event);

	/**
	 * What happened to a receipt.
	 */
	enum Event {

		/** It was committed, together with the effect. */
		WRITTEN,

		/**
		 * It already existed, so that the transaction of another attempt was rolled back.
		 */
		REFUSED,

		/** It was deleted, because the operation reported that it had no effect. */
		WITHDRAWN,

		/** It decided an outcome that was unknown, or a commit that was in doubt. */
		RESOLVED

	}

}
