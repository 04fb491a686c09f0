package io.idempotent.aop;

import java.util.function.Supplier;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rolls back a transaction whose thread has lost a lock, instead of committing it. It
 * looks right before the commit and asks nobody: a loss between that look and the commit
 * is not seen, and only a fence in the database itself can see it.
 */
public final class RollbackOnLoss implements TransactionExecutionListener {

	private final Supplier<@Nullable DistributedLocks> locks;

	private final Check check = new Check();

	/**
	 * Creates the listener.
	 * @param locks the locks, or nothing while there are none
	 */
	public RollbackOnLoss(Supplier<@Nullable DistributedLocks> locks) {
		this.locks = locks;
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(this.check);
		}
	}

	private void requireValidLocks() {
		DistributedLocks known = this.locks.get();
		if (known == null) {
			return;
		}
		for (DistributedLock lock : known.held()) {
			if (!lock.isValid()) {
				throw new LockLostException(lock.name(), "The current thread has lost the lock '" + lock.name()
						+ "': its transaction is rolled back, since somebody else may be in the section", true);
			}
		}
	}

	private final class Check implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			requireValidLocks();
		}

	}

}
