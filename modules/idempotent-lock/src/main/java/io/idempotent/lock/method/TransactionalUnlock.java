package io.idempotent.lock.method;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;

import io.idempotent.lock.DeferrableLock;
import io.idempotent.lock.LockLostException;
import io.idempotent.lock.LockTemplate.UnlockTiming;
import io.idempotent.transaction.TransactionScope;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Releases a lock when the open transactions have completed, so that the next holder sees
 * the changes; at once without one, or after a rollback to a savepoint that undoes the
 * work. With JTA, that may happen on another thread than the one that acquired the lock.
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

	/** An unlock that is done once, by the first thread that is notified. */
	private static final class DeferredUnlock implements TransactionSynchronization {

		private final Runnable unlock;

		private final TransactionScope scope;

		private final AtomicBoolean done = new AtomicBoolean();

		DeferredUnlock(Lock lock, TransactionScope scope) {
			this.unlock = (lock instanceof DeferrableLock deferrable) ? deferrable.deferredUnlock() : lock::unlock;
			this.scope = scope;
		}

		@Override
		public void savepointRollback(Object savepoint) {
			if (this.scope.isUndone()) {
				try {
					unlock();
				}
				catch (LockLostException ex) {
					logger.debug("A lock was lost, and the work under it was rolled back to a savepoint", ex);
				}
			}
		}

		private void unlock() {
			if (this.done.compareAndSet(false, true)) {
				this.unlock.run();
			}
		}

	}

}
