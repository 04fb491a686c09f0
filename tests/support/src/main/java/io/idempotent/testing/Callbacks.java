package io.idempotent.testing;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Registers callbacks of the current transaction.
 */
public final class Callbacks {

	private Callbacks() {
	}

	public static void beforeCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				work.run();
			}

		});
	}

	public static void afterCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				work.run();
			}

		});
	}

	public static void afterCompletion(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				work.run();
			}

		});
	}

}
