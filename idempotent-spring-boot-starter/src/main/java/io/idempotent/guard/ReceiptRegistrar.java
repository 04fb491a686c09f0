package io.idempotent.guard;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Tells a {@link ReceiptGuard} of each transaction that begins.
 */
public final class ReceiptRegistrar implements TransactionExecutionListener {

	private final ReceiptGuard guard;

	/**
	 * Creates the listener.
	 * @param guard the guard
	 */
	public ReceiptRegistrar(ReceiptGuard guard) {
		this.guard = guard;
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure == null) {
			this.guard.transactionBegan();
		}
	}

}
