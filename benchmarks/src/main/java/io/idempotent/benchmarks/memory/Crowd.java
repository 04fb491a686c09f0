package io.idempotent.benchmarks.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many threads that share numbered work.
 */
final class Crowd {

	private static final int THREADS = 16;

	private Crowd() {
	}

	/** Does the work for each number once, and returns when all is done. */
	static void work(long from, long to, Work work) throws Exception {
		AtomicLong next = new AtomicLong(from);
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> parts = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				parts.add(executor.submit(() -> {
					for (long number = next.getAndIncrement(); number < to; number = next.getAndIncrement()) {
						work.run(number);
					}
					return null;
				}));
			}
			for (Future<?> part : parts) {
				part.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * One piece of work.
	 */
	@FunctionalInterface
	interface Work {

		void run(long number) throws Exception;

	}

}
