package io.idempotent.benchmarks.simulation;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;

/**
 * Submissions that arrive at random at the nodes, from the arrival to the response. Time
 * is in microseconds.
 */
final class Simulation {

	private static final double NANOS = 1000;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final Histogram latencies = new Histogram(TimeUnit.HOURS.toNanos(1), 3);

	private final Plan plan;

	private final Costs costs;

	private final SplittableRandom random;

	private final double from;

	private final double to;

	private final Station[] nodes;

	private final Pool[] workers;

	private final Pool[] connections;

	private final Station[] masters;

	private final Station[] databases;

	private double now;

	private double connected;

	private long sequence;

	private Simulation(Plan plan, Costs costs, long seed, double from, double to) {
		this.plan = plan;
		this.costs = costs;
		this.random = new SplittableRandom(seed);
		this.from = from;
		this.to = to;
		this.nodes = many(Plan.NODES, (node) -> new Station(Plan.NODE_CORES, from, to)).toArray(Station[]::new);
		this.workers = many(Plan.NODES, (node) -> new Pool(Plan.WORKERS)).toArray(Pool[]::new);
		this.connections = many(Plan.NODES, (node) -> new Pool(Plan.CONNECTIONS)).toArray(Pool[]::new);
		this.masters = many(plan.masters(), (master) -> new Station(1, from, to)).toArray(Station[]::new);
		this.databases = many(plan.databases(), (database) -> new Station(Plan.DATABASE_CORES, from, to))
			.toArray(Station[]::new);
	}

	private static <T> Stream<T> many(int number, IntFunction<T> creation) {
		return IntStream.range(0, number).mapToObj(creation);
	}

	/**
	 * Simulates a time, a tenth of which passes before it counts.
	 * @param plan what is there
	 * @param costs what a submission costs
	 * @param seed what chance depends on
	 * @param seconds the time
	 * @return what was seen
	 */
	static Load run(Plan plan, Costs costs, long seed, double seconds) {
		Simulation simulation = new Simulation(plan, costs, seed, seconds * 1e5, seconds * 1e6);
		simulation.arrive();
		return simulation.run();
	}

	private Load run() {
		for (Event next = this.events.remove(); next.time() < this.to; next = this.events.remove()) {
			this.now = next.time();
			next.action().run();
		}
		double window = this.to - this.from;
		return new Load(Station.utilisation(this.nodes), Station.utilisation(this.masters),
				Arrays.stream(this.masters).mapToDouble(Station::utilisation).max().orElseThrow(),
				Station.utilisation(this.databases), this.connected / window / Plan.NODES / Plan.CONNECTIONS,
				this.latencies.getMean() / NANOS, this.latencies.getValueAtPercentile(50) / NANOS,
				this.latencies.getValueAtPercentile(99) / NANOS);
	}

	private void arrive() {
		after(Service.exponential(1e6 / this.plan.perSecond()).next(this.random), this::arrive);
		int node = this.random.nextInt(Plan.NODES);
		boolean duplicate = this.random.nextDouble() < Plan.DUPLICATES;
		Station master = this.masters[(duplicate && this.plan.hot()) ? 0 : this.random.nextInt(this.masters.length)];
		double start = this.now;
		Runnable respond = () -> {
			this.workers[node].release();
			if (start >= this.from) {
				this.latencies.recordValue((long) ((this.now - start) * NANOS));
			}
		};
		this.workers[node].acquire(() -> {
			if (duplicate) {
				serve(this.nodes[node], Plan.REPLAY,
						() -> call(master, this.costs.duplicate(), Plan.ROUND_TRIP, respond));
			}
			else {
				serve(this.nodes[node], Plan.FIRST, () -> call(master, this.costs.claim(), Plan.ROUND_TRIP,
						() -> transact(node, () -> call(master, this.costs.completion(), Plan.ROUND_TRIP, respond))));
			}
		});
	}

	private void transact(int node, Runnable then) {
		this.connections[node].acquire(() -> {
			double start = this.now;
			call(this.databases[node % this.databases.length], this.costs.transaction(),
					this.plan.statements() * Plan.ROUND_TRIP, () -> after(Plan.FLUSH, () -> {
						this.connected += Math.max(0, this.now - Math.max(start, this.from));
						this.connections[node].release();
						then.run();
					}));
		});
	}

	private void call(Station server, Service service, double network, Runnable then) {
		after(network, () -> serve(server, service, then));
	}

	private void serve(Station server, Service service, Runnable then) {
		after(server.serve(this.now, service.next(this.random)) - this.now, then);
	}

	private void after(double micros, Runnable then) {
		this.events.add(new Event(this.now + micros, this.sequence++, then));
	}

	private record Event(double time, long sequence, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int order = Double.compare(this.time, other.time);
			return (order != 0) ? order : Long.compare(this.sequence, other.sequence);
		}

	}

}
