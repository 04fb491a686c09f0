package io.idempotent.lock.fence;

import io.idempotent.transaction.TransactionPoint;

/**
 * A fence that a transaction has raised. Nobody else can raise it before that transaction
 * ends.
 *
 * @param token how high
 * @param since where the transaction stood
 */
record RaisedFence(long token, TransactionPoint since) {

	/**
	 * Whether the transaction still holds it: it has not ended, nor been rolled back to a
	 * savepoint from before. It may be suspended.
	 * @return whether it does
	 */
	boolean isStanding() {
		return this.since.isOpen();
	}

}
