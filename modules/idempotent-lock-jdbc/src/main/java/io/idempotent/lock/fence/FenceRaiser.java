package io.idempotent.lock.fence;

import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;

/**
 * Notifies a {@link FenceGuard} of each transaction that starts, before its first
 * statement. It is a separate class, since the class of the guard is also loaded in
 * applications without transactions.
 */
public final class FenceRaiser extends TransactionObserver {

	private final FenceGuard guard;

	/**
	 * Creates the observer.
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
