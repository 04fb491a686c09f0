package io.idempotent.lock.fence;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Rolls a transaction back instead of committing it, before any other synchronization
 * prepares the commit.
 *
 * @param reason the exception that the caller gets
 */
record RefusedCommit(RuntimeException reason) implements TransactionSynchronization {

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		throw this.reason;
	}

}
