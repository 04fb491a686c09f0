package io.idempotent.engine.receipt;

/**
 * Is notified of events of receipts, for metrics. Safe for use by several threads; must
 * neither block nor throw.
 */
@FunctionalInterface
public interface ReceiptListener {

	ReceiptListener NONE = (event) -> {
	};

	void onReceipt(Event event);

	enum Event {

		WRITTEN,

		/** It already existed, so that another attempt's transaction was rolled back. */
		REFUSED,

		/** It was deleted, because the operation reported that it had no effect. */
		WITHDRAWN,

		/** It decided an outcome that was unknown, or a commit that was in doubt. */
		RESOLVED

	}

}
