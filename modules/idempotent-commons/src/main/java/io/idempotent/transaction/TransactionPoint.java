package io.idempotent.transaction;

/**
 * A point in a transaction. Work after this point is undone by a rollback of the
 * transaction, or by a rollback to a savepoint that was set before the point.
 */
public final class TransactionPoint {

	private final ObservedTransaction transaction;

	private final long time;

	TransactionPoint(ObservedTransaction transaction, long time) {
		this.transaction = transaction;
		this.time = time;
	}

	public ObservedTransaction transaction() {
		return this.transaction;
	}

	/** {@link TransactionOutcome#OPEN} while it can change. */
	public TransactionOutcome outcome() {
		return this.transaction.savepoints().isUndone(this.time) ? TransactionOutcome.ROLLED_BACK
				: this.transaction.outcome();
	}

	/** Open, and not rolled back to a savepoint before this point. */
	public boolean isOpen() {
		return outcome() == TransactionOutcome.OPEN;
	}

	@Override
	public String toString() {
		return this.transaction + "@" + this.time;
	}

}
