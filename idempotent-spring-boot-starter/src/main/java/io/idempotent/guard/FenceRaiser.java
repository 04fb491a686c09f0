package io.idempotent.guard;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Tells a {@link FenceGuard} of each transaction that begins, before its first statement.
 * Apart from the guard, whose class is looked at where there are no transactions as well.
 */
public final class FenceRaiser implements TransactionExecutionListener {

	private final FenceGuard guard;

	/**
	 * Creates the listener.
	 * @param guard the guard
	 */
	public FenceRaiser(FenceGuard guard) {
		this.guard = guard;
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure == null) {
			this.guard.transactionBegan();
		}
	}

}
