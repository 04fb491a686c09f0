package io.idempotent.benchmarks.steps;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;

/**
 * Steps beside what they add to: a transactional one to an insert in a transaction, an
 * external one to two commits.
 */
public final class StepsArea implements Area {

	private static final int STEPS = 10;

	private static final List<Integer> THREADS = List.of(1, 16);

	@Override
	public String name() {
		return "steps";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Table.Row> rows = new ArrayList<>();
		try (Postgres postgres = Postgres.start("io/idempotent/steps/schema-postgresql.sql");
				Ledger ledger = new Ledger(postgres.dataSource())) {
			for (int threads : THREADS) {
				Map<String, Figures> figures = new Contest(effort, threads).run(contenders(ledger));
				figures.values().forEach((each) -> rows.add(row(threads, each)));
			}
		}
		return new Results(List.of(new Table("steps", STEPS + " steps in PostgreSQL",
				List.of("p50, µs", "p99, µs", "times a second"), 0, rows)), List.of());
	}

	private static List<Contender> contenders(Ledger ledger) {
		return List.of(new Contender(STEPS + " inserts, a transaction each", (stopwatch) -> {
			String key = UUID.randomUUID().toString();
			IntStream.range(0, STEPS).forEach((i) -> ledger.insertInTransaction(key + i));
		}), new Contender("an operation of " + STEPS + " transactional steps that insert",
				(stopwatch) -> ledger.run((key, steps) -> IntStream.range(0, STEPS)
					.forEach((i) -> steps.transactional("step " + i, () -> ledger.insert(key + i))))),
				new Contender(STEPS + " × an insert and an update, committed each", (stopwatch) -> {
					String key = UUID.randomUUID().toString();
					IntStream.range(0, STEPS).forEach((i) -> ledger.recordCall(key + i));
				}),
				new Contender("an operation of " + STEPS + " external steps that do nothing",
						(stopwatch) -> ledger.run((key, steps) -> IntStream.range(0, STEPS)
							.forEach((i) -> steps.external("step " + i, (called) -> {
							})))));
	}

	private static Table.Row row(int threads, Figures figures) {
		return new Table.Row((threads == 1) ? "1 thread" : threads + " threads", figures.contender(),
				List.of(Cell.of(figures.p50()), Cell.of(figures.p99()), Cell.of(figures.throughput())));
	}

}
