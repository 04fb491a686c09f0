package io.idempotent.lock.method;

import java.util.List;
import java.util.function.Supplier;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Rolls back instead of committing if the thread has lost a lock. Does not call the
 * engine; a loss after this check is only detected by a fence in the database.
 */
public final class RollbackOnLoss extends TransactionObserver {

	private final Supplier<@Nullable DistributedLocks> locks;

	/** The locks are null while there are none. */
	public RollbackOnLoss(Supplier<@Nullable DistributedLocks> locks) {
		this.locks = locks;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		// As an attribute, this is done once for each transaction: also a savepoint
		// begins.
		Object unused = transaction.attribute(this, () -> {
			transaction.beforeCommit(this::requireValidLocks);
			return true;
		});
	}

	private void requireValidLocks() {
		DistributedLocks known = this.locks.get();
		for (DistributedLock lock : (known != null) ? known.held() : List.<DistributedLock>of()) {
			if (!lock.isValid()) {
				throw new LockLostException(lock.name(),
						"The current thread has lost the lock '" + lock.name()
								+ "': its transaction is rolled back, because another thread or node may hold it",
						true);
			}
		}
	}

}
