package io.idempotent.inbox;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets a listener stand still at a point of its work, for good, and prints that it does.
 */
final class Stop implements Incident {

	static final String REPORT = "stopped at ";

	private final Point point;

	private final AtomicInteger reservationsLeft;

	/**
	 * Creates a stop.
	 * @param point where
	 * @param reservations at which reservation
	 */
	Stop(Point point, int reservations) {
		this.point = point;
		this.reservationsLeft = new AtomicInteger(reservations);
	}

	@Override
	public void happenTo(String order) {
		if (this.reservationsLeft.decrementAndGet() != 0) {
			return;
		}
		switch (this.point) {
			case BEFORE_COMMIT -> stop(order);
			case AFTER_COMMIT ->
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						stop(order);
					}

				});
		}
	}

	private static void stop(String order) {
		System.out.println(REPORT + order);
		while (true) {
			LockSupport.park();
		}
	}

	/**
	 * Where a listener may stop.
	 */
	enum Point {

		/** The reservation is made, and not visible to others. */
		BEFORE_COMMIT,

		/** The reservation is committed, and neither recorded nor completed. */
		AFTER_COMMIT

	}

}
