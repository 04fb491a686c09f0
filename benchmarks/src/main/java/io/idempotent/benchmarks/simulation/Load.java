package io.idempotent.benchmarks.simulation;

import java.util.List;
import java.util.stream.DoubleStream;

import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;

/**
 * How busy everything is, as shares, and how long a submission takes, in microseconds.
 * What cannot be told is {@code NaN}.
 *
 * @param nodes processors of the nodes
 * @param masters masters of Redis
 * @param busiest the busiest master
 * @param databases processors of the databases
 * @param connections connections that are held
 * @param mean mean of a submission
 * @param p50 median of a submission
 * @param p99 its 99th percentile
 */
record Load(double nodes, double masters, double busiest, double databases, double connections, double mean, double p50,
		double p99) {

	static final List<String> COLUMNS = List.of("nodes, % busy", "masters, % busy", "busiest master, %",
			"databases, % busy", "connections, % held", "mean, ms", "p50, ms", "p99, ms");

	/**
	 * The same by arithmetic, from means and second moments.
	 * @param plan what is there
	 * @param costs what a submission costs
	 * @return what is to be expected, where no queue grows without end
	 */
	static Load predicted(Plan plan, Costs costs) {
		double rate = plan.perSecond() / 1e6;
		double first = rate * (1 - Plan.DUPLICATES);
		double again = rate * Plan.DUPLICATES;
		Queue node = new Queue(Plan.NODE_CORES).and(first / Plan.NODES, Plan.FIRST)
			.and(again / Plan.NODES, Plan.REPLAY);
		Queue any = new Queue(1).and(first / plan.masters(), costs.claim())
			.and(first / plan.masters(), costs.completion());
		Queue average = any.and(again / plan.masters(), costs.duplicate());
		Queue busiest = plan.hot() ? any.and(again, costs.duplicate()) : average;
		Queue database = new Queue(Plan.DATABASE_CORES).and(first / plan.databases(), costs.transaction());
		double held = plan.statements() * Plan.ROUND_TRIP + database.delay() + costs.transaction().mean() + Plan.FLUSH;
		double mean = Plan.ROUND_TRIP + node.delay() + average.delay()
				+ Plan.DUPLICATES * (Plan.REPLAY.mean() + costs.duplicate().mean())
				+ (1 - Plan.DUPLICATES) * (Plan.FIRST.mean() + costs.claim().mean() + held + Plan.ROUND_TRIP
						+ average.delay() + costs.completion().mean());
		return new Load(node.load(), average.load(), busiest.load(), database.load(),
				first * held / Plan.NODES / Plan.CONNECTIONS, plan.hot() ? Double.NaN : mean, Double.NaN, Double.NaN);
	}

	List<Cell> cells() {
		return DoubleStream
			.of(100 * this.nodes, 100 * this.masters, 100 * this.busiest, 100 * this.databases, 100 * this.connections,
					this.mean / 1000, this.p50 / 1000, this.p99 / 1000)
			.mapToObj(Load::cell)
			.toList();
	}

	static Cell cell(double figure) {
		return Double.isFinite(figure) ? Cell.of(Spread.exactly(figure)) : Cell.NONE;
	}

}
