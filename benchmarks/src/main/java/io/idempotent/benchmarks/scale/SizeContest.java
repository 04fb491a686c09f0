package io.idempotent.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;

/**
 * Stores of different sizes, all there from the start, in one contest.
 */
final class SizeContest {

	private static final double FLAT = 10;

	private final Effort effort;

	private final List<Filled> stores;

	private final Reading reading;

	private final List<Table.Row> rows = new ArrayList<>();

	private final List<Finding> findings = new ArrayList<>();

	SizeContest(Effort effort, List<Filled> stores, Reading reading) {
		this.effort = effort;
		this.stores = stores;
		this.reading = reading;
	}

	Results run(String id, String kind) throws Exception {
		flat(kind, "first call", Filled::first);
		flat(kind, "duplicate", Filled::duplicate);
		if (this.reading.limit(this.stores.get(0)).isPresent()) {
			furthest("plain GET, the limit", (store) -> this.reading.limit(store).orElseThrow());
		}
		return new Results(List.of(new Table(id, kind + ": cost by number of records",
				List.of("p50 µs", "p99 µs", this.reading.column()), 0, this.rows)), this.findings);
	}

	private void flat(String kind, String what, Function<Filled, Contender> contender) throws Exception {
		double furthest = furthest(what, contender);
		String largest = this.stores.get(this.stores.size() - 1).name();
		this.findings.add(new Finding(
				kind + ", " + what + ": p50 within ±10% from " + this.stores.get(0).name() + " to " + largest,
				Finding.atMost("", furthest, "%", FLAT).figure(), Math.abs(furthest) <= FLAT));
	}

	/** How many percent the store that differs most differs from the smallest one. */
	private double furthest(String what, Function<Filled, Contender> contender) throws Exception {
		for (Filled store : this.stores) {
			this.reading.begin(store);
		}
		Map<String, Figures> figures = new Contest(this.effort, 1).run(this.stores.stream().map(contender).toList());
		double smallest = figures(figures, this.stores.get(0)).p50().median();
		double furthest = 0;
		for (Filled store : this.stores) {
			Figures found = figures(figures, store);
			this.rows.add(new Table.Row(what, store.name(),
					List.of(Cell.of(found.p50()), Cell.of(found.p99()), this.reading.end(store, found))));
			double deviation = 100 * (found.p50().median() / smallest - 1);
			furthest = (Math.abs(deviation) > Math.abs(furthest)) ? deviation : furthest;
		}
		return furthest;
	}

	private static Figures figures(Map<String, Figures> figures, Filled store) {
		return Objects.requireNonNull(figures.get(store.name()));
	}

	/**
	 * One more column.
	 */
	interface Reading {

		String column();

		default void begin(Filled store) throws Exception {
		}

		Cell end(Filled store, Figures figures) throws Exception;

		/** The raw client's duplicate, where it has one. */
		default Optional<Contender> limit(Filled store) {
			return Optional.empty();
		}

	}

}
