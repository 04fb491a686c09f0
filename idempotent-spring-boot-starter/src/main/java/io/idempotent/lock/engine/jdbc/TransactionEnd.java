package io.idempotent.lock.engine.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whether the transaction that took a lock is over, or was rolled back to before it did.
 */
final class TransactionEnd implements TransactionSynchronization {

	/** Savepoints that were set while the lock was held. */
	private final Set<Object> savepoints = ConcurrentHashMap.newKeySet();

	private volatile boolean over;

	private volatile boolean undone;

	/**
	 * Whether the lock is gone. While a transaction completes it is not: who acts upon
	 * the completion, such as a deferred unlock, still speaks for the transaction.
	 * @return whether it is
	 */
	boolean hasCome() {
		return this.undone || (this.over && !isCompleting());
	}

	private static boolean isCompleting() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive();
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.add(savepoint);
	}

	@Override
	public void savepointRollback(Object savepoint) {
		if (!this.savepoints.contains(savepoint)) {
			this.undone = true;
		}
	}

	@Override
	public void afterCompletion(int status) {
		this.over = true;
	}

}
