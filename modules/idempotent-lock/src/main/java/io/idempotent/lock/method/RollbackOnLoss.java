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
 * looks right before the commit and asks nobody: a loss between that look and the commit
 * is not seen, and only a fence in the database itself can see it.
 */
public final class RollbackOnLoss extends TransactionObserver {

	private final Supplier<@Nullable DistributedLocks> locks;

	/**
	 * Creates the listener.
	 * @param locks the locks, or nothing while there are none
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
				throw new LockLostException(lock.name(), "The current thread has lost the lock '" + lock.name()
						+ "': its transaction is rolled back, because another thread or node may be in the section",
						true);
			}
		}
	}

}
