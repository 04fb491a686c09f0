package io.idempotent.lock.fence;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;

/**
 * Notifies a {@link FenceGuard} of each transaction that starts, before its first
 * statement. Separate: the guard's class is also loaded in applications without
 * transactions.
 */
public final class FenceRaiser extends TransactionObserver {

	private final FenceGuard guard;

	/** Creates the observer for a guard. */
	public FenceRaiser(FenceGuard guard) {
		this.guard = guard;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		this.guard.began(transaction);
	}

}
