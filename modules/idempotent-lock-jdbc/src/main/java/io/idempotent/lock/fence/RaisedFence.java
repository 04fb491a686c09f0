package io.idempotent.lock.fence;

import io.idempotent.transaction.TransactionPoint;

/**
 * A fence that a transaction has raised. No other transaction can raise it before that
 * transaction ends.
 *
 * @param token the token
 * @param since the point of the transaction at which it was raised
 */
record RaisedFence(long token, TransactionPoint since) {

	/**
	 * Whether the fence is still raised: the transaction has neither ended nor been
	 * rolled back to an earlier savepoint. It may be suspended.
	 */
	boolean isStanding() {
		return this.since.isOpen();
	}

}
