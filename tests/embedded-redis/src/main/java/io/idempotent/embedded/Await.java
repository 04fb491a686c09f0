package io.idempotent.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for conditions that nobody announces.
 */
final class Await {

	private static final long PAUSE_MILLIS = 5;

	private Await() {
	}

	/**
	 * Waits until a condition holds. An interrupt does not end the wait and is kept for
	 * the caller.
	 * @param condition the condition
	 * @param timeout how long to wait at most
	 * @return whether the condition holds
	 */
	static boolean until(BooleanSupplier condition, Duration timeout) {
		long start = System.nanoTime();
		boolean interrupted = false;
		try {
			while (!condition.getAsBoolean()) {
				if (System.nanoTime() - start > timeout.toNanos()) {
					return false;
				}
				try {
					Thread.sleep(PAUSE_MILLIS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			return true;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
