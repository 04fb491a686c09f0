package io.idempotent.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.HdrHistogram.Histogram;

/**
 * Lets contenders take turns: in each round each has one turn, in a new order, so that
 * whatever else the machine does in the meantime meets all of them. A round for warming
 * up comes first and does not count, if figures are wanted.
 */
public final class Contest {

	private static final double NANOS_PER_MICRO = 1000;

	private static final double NANOS_PER_SECOND = 1e9;

	private static final double PERCENT = 100;

	private final Effort effort;

	private final int threads;

	private final Random order = new Random(4);

	/**
	 * Prepares a contest.
	 * @param effort how many rounds, and how long a turn is
	 * @param threads how many threads each contender has
	 */
	public Contest(Effort effort, int threads) {
		this.effort = effort;
		this.threads = threads;
	}

	/**
	 * Runs it.
	 * @param contenders who takes part
	 * @return their figures by name, in the order they were given
	 * @throws Exception what a task threw
	 */
	public Map<String, Figures> run(List<Contender> contenders) throws Exception {
		Map<String, List<Turn>> turns = new HashMap<>();
		for (int round = this.effort.either(0, 1); round <= this.effort.rounds(); round++) {
			List<Contender> shuffled = new ArrayList<>(contenders);
			Collections.shuffle(shuffled, this.order);
			for (Contender contender : shuffled) {
				Turn turn = metered(contender);
				if (round > 0) {
					turns.computeIfAbsent(contender.name(), (name) -> new ArrayList<>()).add(turn);
				}
			}
		}
		Map<String, Figures> figures = new LinkedHashMap<>();
		contenders.forEach((contender) -> figures.put(contender.name(),
				figures(contender, turns.getOrDefault(contender.name(), List.of()))));
		return figures;
	}

	/**
	 * Runs it.
	 * @param <K> what tells contenders apart
	 * @param contenders who takes part
	 * @return their figures
	 * @throws Exception what a task threw
	 */
	public <K> Map<K, Figures> run(Map<K, Contender> contenders) throws Exception {
		Map<String, Figures> named = run(List.copyOf(contenders.values()));
		Map<K, Figures> figures = new LinkedHashMap<>();
		contenders.forEach((key, contender) -> figures.put(key, Objects.requireNonNull(named.get(contender.name()))));
		return figures;
	}

	private Turn metered(Contender contender) throws Exception {
		List<Double> before = read(contender.meters());
		Turn turn = turn(contender.task());
		List<Double> after = read(contender.meters());
		return turn.using(IntStream.range(0, after.size())
			.mapToObj((i) -> (after.get(i) - before.get(i)) / turn.histogram().getTotalCount())
			.toList());
	}

	private static List<Double> read(List<Contender.Meter> meters) {
		return meters.stream().map((meter) -> meter.used().getAsDouble()).toList();
	}

	private Turn turn(Contender.Task task) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(this.threads);
		CyclicBarrier start = new CyclicBarrier(this.threads);
		try {
			List<Future<Turn>> parts = new ArrayList<>();
			for (int thread = 0; thread < this.threads; thread++) {
				parts.add(executor.submit(part(task, start, new Stopwatch(thread))));
			}
			Turn whole = parts.get(0).get();
			for (Future<Turn> part : parts.subList(1, parts.size())) {
				whole = whole.and(part.get());
			}
			return whole;
		}
		finally {
			executor.shutdownNow();
		}
	}

	private Callable<Turn> part(Contender.Task task, CyclicBarrier start, Stopwatch stopwatch) {
		return () -> {
			start.await();
			long begin = System.nanoTime();
			long end = begin + this.effort.turn().toNanos();
			long done = 0;
			do {
				stopwatch.time(task);
				done++;
			}
			while (System.nanoTime() - end < 0);
			double perSecond = done * NANOS_PER_SECOND / (System.nanoTime() - begin);
			return new Turn(stopwatch.histogram(), perSecond, perSecond, List.of());
		};
	}

	private Figures figures(Contender contender, List<Turn> turns) {
		Map<String, Spread> used = new LinkedHashMap<>();
		for (int i = 0; i < contender.meters().size(); i++) {
			int meter = i;
			used.put(contender.meters().get(meter).name(),
					Spread.of(turns.stream().mapToDouble((turn) -> turn.used().get(meter)).toArray()));
		}
		return new Figures(contender.name(), percentile(turns, 50), percentile(turns, 99),
				Spread.of(turns.stream().mapToDouble(Turn::perSecond).toArray()),
				Spread.of(turns.stream().mapToDouble((turn) -> turn.fairness(this.threads)).toArray()), used);
	}

	private static Spread percentile(List<Turn> turns, double percentile) {
		return Spread.of(turns.stream()
			.mapToDouble((turn) -> turn.histogram().getValueAtPercentile(percentile) / NANOS_PER_MICRO)
			.toArray());
	}

	/**
	 * What some threads did in one turn.
	 *
	 * @param histogram their latencies
	 * @param perSecond tasks per second, all of them together
	 * @param fewest tasks per second of the thread that did fewest
	 * @param used what a task used, by meter
	 */
	private record Turn(Histogram histogram, double perSecond, double fewest, List<Double> used) {

		Turn using(List<Double> read) {
			return new Turn(this.histogram, this.perSecond, this.fewest, read);
		}

		Turn and(Turn other) {
			this.histogram.add(other.histogram());
			return new Turn(this.histogram, this.perSecond + other.perSecond(), Math.min(this.fewest, other.fewest()),
					this.used);
		}

		double fairness(int threads) {
			return PERCENT * this.fewest * threads / this.perSecond;
		}

	}

}
