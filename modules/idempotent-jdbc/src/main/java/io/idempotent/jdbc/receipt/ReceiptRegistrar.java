package io.idempotent.jdbc.receipt;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;

/**
 * Notifies a {@link ReceiptGuard} of each transaction that starts. Register it as a
 * listener of each transaction manager of the guarded {@code DataSource}. With
 * auto-configuration, transaction managers that are beans have it already.
 */
public final class ReceiptRegistrar extends TransactionObserver {

	private final ReceiptGuard guard;

	public ReceiptRegistrar(ReceiptGuard guard) {
		this.guard = guard;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		this.guard.began(transaction);
	}

}
