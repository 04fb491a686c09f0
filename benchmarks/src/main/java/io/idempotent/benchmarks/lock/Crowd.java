package io.idempotent.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Thousands of virtual threads that wait for one lock.
 */
final class Crowd {

	private static final double NANOS_PER_SECOND = 1e9;

	private final LockContender contender;

	private final int waiters;

	private long entered;

	Crowd(LockContender contender, int waiters) {
		this.contender = contender;
		this.waiters = waiters;
	}

	/**
	 * Lets each of them in once.
	 * @return how many seconds it took
	 * @throws Exception if one was not let in
	 */
	double enter() throws Exception {
		ExecutorService executor = VirtualThreads.executor().orElseThrow();
		this.entered = 0;
		long begin = System.nanoTime();
		try {
			List<Future<?>> waiting = new ArrayList<>(this.waiters);
			for (int i = 0; i < this.waiters; i++) {
				waiting.add(executor.submit(() -> {
					this.contender.guard().run(this.contender.lockName(0), () -> this.entered++);
					return null;
				}));
			}
			for (Future<?> waiter : waiting) {
				waiter.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		if (this.entered != this.waiters) {
			throw new IllegalStateException(this.contender.name() + " let two in at once");
		}
		return (System.nanoTime() - begin) / NANOS_PER_SECOND;
	}

}
