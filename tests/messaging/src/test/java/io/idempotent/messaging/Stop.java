package io.idempotent.messaging;

import java.util.concurrent.locks.LockSupport;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets a consumer stand still after its commit, before its record and its
 * acknowledgement, and prints that it does.
 */
final class Stop implements Incident {

	static final String REPORT = "stopped at ";

	@Override
	public void happenTo(String payment) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				System.out.println(REPORT + payment);
				while (true) {
					LockSupport.park();
				}
			}

		});
	}

}
