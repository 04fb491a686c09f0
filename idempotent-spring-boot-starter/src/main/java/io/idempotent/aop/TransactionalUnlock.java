package io.idempotent.aop;

import java.util.concurrent.locks.Lock;

import io.idempotent.lock.LockLostException;
import io.idempotent.lock.UnlockTiming;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gives a lock back when the transactions that its section was left in have completed, so
 * that the next holder sees what was committed; at once without a transaction. What the
 * section did may be undone before that, by a rollback to a savepoint: then there is
 * nothing left to protect, and the lock is given back as well.
 */
public final class TransactionalUnlock implements UnlockTiming {

	private static final Log logger = LogFactory.getLog(TransactionalUnlock.class);

	@Override
	public void unlock(Lock lock) {
		TransactionScope scope = TransactionScope.current();
		if (scope.points().isEmpty()) {
			lock.unlock();
			return;
		}
		DeferredUnlock deferred = new DeferredUnlock(lock, scope);
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(deferred);
		}
		scope.whenCompleted(deferred::unlock);
	}

	/**
	 * An unlock that is done once. Used by the thread that holds the lock.
	 */
	private static final class DeferredUnlock implements TransactionSynchronization {

		private final Lock lock;

		private final TransactionScope scope;

		private boolean done;

		DeferredUnlock(Lock lock, TransactionScope scope) {
			this.lock = lock;
			this.scope = scope;
		}

		@Override
		public void savepointRollback(Object savepoint) {
			if (this.scope.isUndone() && !this.done) {
				try {
					unlock();
				}
				catch (LockLostException ex) {
					logger.debug("A lock was lost, and the transaction of its section was rolled back", ex);
				}
			}
		}

		private void unlock() {
			if (!this.done) {
				this.done = true;
				this.lock.unlock();
			}
		}

	}

}
