package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Full load on an application that has just started, while its JVM compiles it.
 */
final class WarmUp {

	private static final int CONNECTIONS = 16;

	/** Dense where the curve is steep. */
	private static final List<Integer> SECONDS = List.of(1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 75, 90, 120, 150, 180);

	private WarmUp() {
	}

	/**
	 * Sends first calls of the empty handler.
	 * @param full whether a second lasts a second; otherwise a millisecond
	 */
	static List<Point> of(Child application, boolean full) throws Exception {
		long second = full ? TimeUnit.SECONDS.toNanos(1) : TimeUnit.MILLISECONDS.toNanos(1);
		LongAdder done = new LongAdder();
		ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
		try (Load load = new Load(application, CONNECTIONS)) {
			long begin = System.nanoTime();
			long end = begin + SECONDS.get(SECONDS.size() - 1) * second;
			List<Future<?>> running = new ArrayList<>();
			for (int i = 0; i < CONNECTIONS; i++) {
				int thread = i;
				running.add(threads.submit(() -> sendUntil(end, load, thread, done)));
			}
			List<Point> points = measure(begin, second, done, new Compilers(application.process()));
			for (Future<?> each : running) {
				each.get();
			}
			return points;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static @Nullable Void sendUntil(long end, Load load, int thread, LongAdder done) throws IOException {
		while (System.nanoTime() - end < 0) {
			load.send(thread, Requests.byKey("/order-by-key", Requests.ORDER, UUID.randomUUID().toString()))
				.require(Requests.ORDER, false);
			done.increment();
		}
		return null;
	}

	private static List<Point> measure(long begin, long second, LongAdder done, Compilers compilers)
			throws IOException {
		List<Point> points = new ArrayList<>();
		long last = begin;
		long before = 0;
		for (int each : SECONDS) {
			for (long due = begin + each * second; System.nanoTime() - due < 0;) {
				LockSupport.parkNanos(due - System.nanoTime());
			}
			long now = System.nanoTime();
			long all = done.sum();
			points.add(new Point(each, (all - before) * (double) TimeUnit.SECONDS.toNanos(1) / (now - last),
					compilers.seconds()));
			last = now;
			before = all;
		}
		return points;
	}

	/**
	 * What has happened until a moment.
	 *
	 * @param second the moment
	 * @param perSecond requests per second since the moment before
	 * @param compilerSeconds processor time of the compilers since the start of the JVM
	 */
	record Point(int second, double perSecond, double compilerSeconds) {
	}

	/** The compiler threads of a JVM, of which some may end. */
	private static final class Compilers {

		private final ProcessHandle process;

		private final Map<Long, Double> seconds = new HashMap<>();

		Compilers(ProcessHandle process) {
			this.process = process;
		}

		double seconds() throws IOException {
			this.seconds.putAll(ProtectedChild.secondsOfThreads(this.process, "C[12] CompilerThre.*"));
			return this.seconds.values().stream().mapToDouble(Double::doubleValue).sum();
		}

	}

}
