package io.idempotent.leftovers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until nothing is left.
 */
final class Patience {

	private Patience() {
	}

	/**
	 * Asks repeatedly.
	 * @param longest how long to ask
	 * @param leftovers what is left
	 * @return what is left in the end
	 */
	static List<String> untilEmpty(Duration longest, Supplier<List<String>> leftovers) {
		long start = System.nanoTime();
		List<String> left = leftovers.get();
		while (!left.isEmpty() && System.nanoTime() - start < longest.toNanos()) {
			try {
				TimeUnit.MILLISECONDS.sleep(50);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return left;
			}
			left = leftovers.get();
		}
		return left;
	}

}
