package io.idempotent.benchmarks.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads of one JVM that want the same lock over and over.
 */
final class Crew {

	private static final double NANOS_PER_SECOND = 1e9;

	private Crew() {
	}

	/**
	 * Works for a while.
	 * @param contender the lock
	 * @param tally the section
	 * @param threads how many threads
	 * @param time how long
	 * @return sections per second
	 * @throws Exception if a lock fails
	 */
	static double work(LockContender contender, Tally tally, int threads, Duration time) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CyclicBarrier start = new CyclicBarrier(threads);
			List<Future<Double>> parts = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				parts.add(executor.submit(member(contender, tally, start, time.toNanos())));
			}
			double sum = 0;
			for (Future<Double> part : parts) {
				sum += part.get();
			}
			return sum;
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static Callable<Double> member(LockContender contender, Tally tally, CyclicBarrier start, long nanos) {
		String name = contender.lockName(0);
		return () -> {
			start.await();
			long begin = System.nanoTime();
			long done = 0;
			while (System.nanoTime() - begin < nanos) {
				contender.guard().run(name, tally);
				done++;
			}
			return done * NANOS_PER_SECOND / (System.nanoTime() - begin);
		};
	}

}
