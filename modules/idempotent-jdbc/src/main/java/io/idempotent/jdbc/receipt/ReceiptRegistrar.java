package io.idempotent.jdbc.receipt;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;

/**
 * Tells a {@link ReceiptGuard} of each transaction that begins. Belongs among the
 * listeners of each transaction manager on the guarded {@code DataSource}; those that are
 * beans get it by themselves.
 */
public final class ReceiptRegistrar extends TransactionObserver {

	private final ReceiptGuard guard;

	/**
	 * Creates the listener.
	 * @param guard the guard
	 */
	public ReceiptRegistrar(ReceiptGuard guard) {
		this.guard = guard;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		this.guard.began(transaction);
	}

}
