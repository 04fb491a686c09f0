package io.idempotent.benchmarks.lock;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Table;

/**
 * A hundred thousand virtual threads that all wait for one lock before it is released:
 * what each keeps in the heap, and how long it takes until every one of them had it.
 */
final class WaitersTable {

	private static final int MANY = 100_000;

	private static final int ROUNDS = 3;

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private final Effort effort;

	private final List<Table.Row> rows = new ArrayList<>();

	private long entered;

	WaitersTable(Effort effort) {
		this.effort = effort;
	}

	void measure(Kind kind, List<LockContender> contenders) throws Exception {
		if (VirtualThreads.executor().isEmpty()) {
			return;
		}
		for (LockContender contender : contenders) {
			measure(kind, contender);
		}
	}

	/** The first round does not count: interpreted frames are larger. */
	private void measure(Kind kind, LockContender contender) throws Exception {
		int rounds = this.effort.either(ROUNDS, 1);
		double[] bytes = new double[rounds];
		double[] seconds = new double[rounds];
		for (int round = -1; round < rounds; round++) {
			Round measured = measure(contender, this.effort.either(MANY, 100));
			if (round >= 0) {
				bytes[round] = measured.bytes();
				seconds[round] = measured.seconds();
			}
		}
		this.rows.add(new Table.Row(kind.title(), contender.name(),
				List.of(Cell.of(Spread.of(bytes)), Cell.of(Spread.of(seconds)))));
	}

	private Round measure(LockContender contender, int waiters) throws Exception {
		ExecutorService executor = VirtualThreads.executor().orElseThrow();
		ExecutorService holder = Executors.newSingleThreadExecutor();
		try {
			CountDownLatch held = new CountDownLatch(1);
			CountDownLatch released = new CountDownLatch(1);
			this.entered = 0;
			Future<?> hold = holder.submit(() -> {
				contender.guard().run(contender.lockName(0), () -> {
					held.countDown();
					await(released);
				});
				return null;
			});
			held.await();
			long before = heap();
			CountDownLatch arrived = new CountDownLatch(waiters);
			List<Future<?>> waiting = new ArrayList<>(waiters);
			for (int i = 0; i < waiters; i++) {
				waiting.add(executor.submit(() -> {
					arrived.countDown();
					contender.guard().run(contender.lockName(0), () -> this.entered++);
					return null;
				}));
			}
			arrived.await();
			double bytes = (heap() - before) / (double) waiters;
			long begin = System.nanoTime();
			released.countDown();
			hold.get();
			for (Future<?> waiter : waiting) {
				waiter.get();
			}
			double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
			if (this.entered != waiters) {
				throw new IllegalStateException(contender.name() + " let two in at once");
			}
			return new Round(bytes, seconds);
		}
		finally {
			executor.shutdownNow();
			holder.shutdownNow();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The last threads to arrive block meanwhile. */
	private static long heap() throws InterruptedException {
		TimeUnit.SECONDS.sleep(1);
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	Table asTable() {
		return new Table("lock-waiters", "100,000 virtual threads that wait for one lock",
				List.of("bytes of heap a waiter", "seconds until all had it"), 0, this.rows);
	}

	/** The heap is that of a waiter, the time that of all. */
	private record Round(double bytes, double seconds) {
	}

}
