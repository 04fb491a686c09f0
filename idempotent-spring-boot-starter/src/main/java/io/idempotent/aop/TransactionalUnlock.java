package io.idempotent.aop;

import java.util.concurrent.locks.Lock;

import io.idempotent.lock.UnlockTiming;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gives a lock back when the transaction that its section was entered in has completed,
 * so that the next holder sees what was committed; at once without a transaction.
 */
public final class TransactionalUnlock implements UnlockTiming {

	@Override
	public void unlock(Lock lock) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			lock.unlock();
			return;
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				lock.unlock();
			}

		});
	}

}
