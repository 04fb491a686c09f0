package io.idempotent.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;

/**
 * A hundred nodes with a hundred thousand submissions a second, which this machine cannot
 * carry: simulated, with costs that are measured first.
 */
public final class SimulationArea implements Area {

	private static final long SEED = 20_261_126;

	private static final int RATE = 100_000;

	private final List<Table.Row> loads = new ArrayList<>();

	@Override
	public String name() {
		return "simulation";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		ServerCosts servers = new ServerCosts(effort.either(50_000, 200));
		Costs plain = servers.withoutReceipts();
		Costs receipted = servers.withReceipts();
		double seconds = effort.full() ? 3 : 0.02;
		for (int percent : new int[] { 25, 50, 75, 100, 125 }) {
			simulate(percent + " %", new Plan(RATE * percent / 100.0, 12, 10, 3, false), receipted, seconds);
		}
		simulate("100 %, no receipts", new Plan(RATE, 12, 10, 2, false), plain, seconds);
		simulate("100 %, duplicates of one key", new Plan(RATE, 12, 10, 3, true), receipted, seconds);
		simulate("100 %, 3 masters", new Plan(RATE, 3, 10, 3, false), receipted, seconds);
		simulate("100 %, 3 databases", new Plan(RATE, 12, 3, 3, false), receipted, seconds);
		return new Results(
				List.of(servers.table(), new Table("simulation",
						"100 nodes with 100,000 submissions a second, seed " + SEED, Load.COLUMNS, 7, this.loads)),
				List.of());
	}

	private void simulate(String name, Plan plan, Costs costs, double seconds) {
		this.loads.add(new Table.Row(name, "simulated", Simulation.run(plan, costs, SEED, seconds).cells()));
		this.loads.add(new Table.Row(name, "predicted", Load.predicted(plan, costs).cells()));
	}

}
