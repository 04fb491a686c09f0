package io.idempotent.lock.method;

import java.util.function.Supplier;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockLostException;
import io.idempotent.transaction.ObservedTransaction;
import io.idempotent.transaction.TransactionObserver;
import org.jspecify.annotations.Nullable;

/**
 * Rolls back a transaction whose thread has lost a lock, instead of committing it. It
 * checks right before the commit, without calling the engine. A loss between that check
 * and the commit is not detected; only a fence in the database can detect it.
 */
public final class RollbackOnLoss extends TransactionObserver {

	private final Supplier<@Nullable DistributedLocks> locks;

	/**
	 * Creates the observer.
	 * @param locks the locks, or {@code null} if there are none yet
	 */
	public RollbackOnLoss(Supplier<@Nullable DistributedLocks> locks) {
		this.locks = locks;
	}

	@Override
	protected void began(ObservedTransaction transaction) {
		Object unused = transaction.attribute(this, () -> {
			transaction.beforeCommit(this::requireValidLocks);
			return true;
		});
	}

	private void requireValidLocks() {
		DistributedLocks known = this.locks.get();
		if (known == null) {
			return;
		}
		for (DistributedLock lock : known.held()) {
			if (!lock.isValid()) {
				throw new LockLostException(lock.name(),
						"The current thread has lost the lock '" + lock.name()
								+ "': its transaction is rolled back, because another thread or node may hold it",
						true);
			}
		}
	}

}
