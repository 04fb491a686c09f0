package io.idempotent.benchmarks.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Table;

/**
 * Many calls of one kind: what they cost a server together while sixteen threads make
 * them, and how the times of single calls are distributed.
 */
final class Calibration {

	static final int THREADS = 16;

	private final List<DoubleSupplier> meters;

	private final List<Table.Row> rows;

	/**
	 * Prepares calibrations of one server.
	 * @param meters its processor time in microseconds, and one for each further column
	 * @param rows where a row is added for each kind
	 */
	Calibration(List<DoubleSupplier> meters, List<Table.Row> rows) {
		this.meters = meters;
		this.rows = rows;
	}

	/**
	 * Makes calls, and meters them.
	 * @param group the server
	 * @param name the call
	 * @param calls how many
	 * @param call makes the call of a number
	 * @param times of single calls, measured afterwards; only their distribution counts,
	 * and their mean becomes the processor time of a call
	 * @return the processor time of a call
	 */
	Service measure(String group, String name, int calls, IntConsumer call, Callable<double[]> times) throws Exception {
		double[] before = read();
		together(calls, call);
		double[] after = read();
		List<Double> each = new ArrayList<>();
		for (int meter = 0; meter < before.length; meter++) {
			each.add((after[meter] - before[meter]) / calls);
		}
		double[] alone = times.call();
		double mean = Arrays.stream(alone).average().orElseThrow();
		// A server spends time around a call; a client waits for more than the server.
		double around = Math.max(0, each.get(0) - mean);
		double factor = Math.min(1, each.get(0) / mean);
		double[] scaled = Arrays.stream(alone).map((time) -> time * factor + around).sorted().toArray();
		List<Double> figures = new ArrayList<>(
				List.of(each.get(0), scaled[scaled.length / 2], scaled[scaled.length * 99 / 100]));
		figures.addAll(each.subList(1, each.size()));
		this.rows.add(new Table.Row(group, name, figures.stream().map(Load::cell).toList()));
		return Service.sampled(scaled);
	}

	private double[] read() {
		return this.meters.stream().mapToDouble(DoubleSupplier::getAsDouble).toArray();
	}

	static void together(int calls, IntConsumer call) throws Exception {
		AtomicInteger next = new AtomicInteger();
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Void>> parts = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				parts.add(() -> {
					for (int number = next.getAndIncrement(); number < calls; number = next.getAndIncrement()) {
						call.accept(number);
					}
					return null;
				});
			}
			for (Future<Void> part : threads.invokeAll(parts)) {
				part.get();
			}
		}
		finally {
			threads.shutdown();
		}
	}

}
