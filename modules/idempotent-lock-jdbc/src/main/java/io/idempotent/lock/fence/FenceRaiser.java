package io.idempotent.lock.fence;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;

/**
 * Tells a {@link FenceGuard} of each transaction that begins, before its first statement.
 * Apart from the guard, whose class is looked at where there are no transactions as well.
 */
public final class FenceRaiser extends TransactionObserver {

	private final FenceGuard guard;

	/**
	 * Creates the listener.
	 * @param guard the guard
	 */
	public FenceRaiser(FenceGuard guard) {
		this.guard = guard;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		this.guard.began(transaction);
	}

}
