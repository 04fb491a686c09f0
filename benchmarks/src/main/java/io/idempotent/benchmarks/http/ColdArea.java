package io.idempotent.benchmarks.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.http.WarmUp.Point;
import io.idempotent.benchmarks.measure.CpuProfile;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Curves;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;

/**
 * A new JVM with the starter, beside one with a filter that was written by hand: its
 * start, its first requests, and its first three minutes under full load.
 */
public final class ColdArea implements Area {

	/** The requests of a new JVM. */
	private static final int FIRST = 200;

	private static final List<String> STARTED = List.of("until the first answer, ms", "resident memory after it, MB",
			"classes loaded", "application, µs of CPU for each of the first " + FIRST + " inserts");

	/** The others are on the curve. */
	private static final Set<Integer> SHOWN = Set.of(5, 15, 30, 60, 120, 180);

	private static final List<Protection> COMPARED = List.of(Protection.BY_HAND, Protection.STARTER);

	@Override
	public String name() {
		return "cold";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Finding> findings = new ArrayList<>();
		Map<String, String> drawings = new LinkedHashMap<>();
		try (Postgres postgres = Postgres.start()) {
			Map<Protection, List<Point>> warm = new EnumMap<>(Protection.class);
			Table start = start(effort, postgres, findings, warm);
			Table warmUp = warmUp(effort, postgres, findings, warm, drawings);
			if (effort.full()) {
				flames(postgres, drawings);
			}
			return new Results(List.of(start, warmUp), findings, drawings);
		}
	}

	/**
	 * New JVMs in each round; those that are compared in every round. In a smoke pass,
	 * the load comes over the same JVMs.
	 */
	private static Table start(Effort effort, Postgres postgres, List<Finding> findings,
			Map<Protection, List<Point>> warm) throws Exception {
		int rounds = effort.either(7, 1);
		Map<Protection, List<double[]>> read = new EnumMap<>(Protection.class);
		for (int round = 0; round < rounds; round++) {
			for (Protection protection : (effort.full() && round % 3 == 0) ? List.of(Protection.values()) : COMPARED) {
				try (ProtectedChild shop = ProtectedChild.start(protection, postgres)) {
					read.computeIfAbsent(protection, (absent) -> new ArrayList<>())
						.add(new double[] { shop.millisToFirstAnswer(), shop.megabytes(), shop.loadedClasses(),
								shop.microsOfAnInsert(effort.either(FIRST, 1)) });
					if (!effort.full()) {
						warm.put(protection, WarmUp.of(shop.shop(), false));
					}
				}
			}
		}
		List<Table.Row> rows = new ArrayList<>();
		read.forEach((protection, figures) -> rows
			.add(new Table.Row("a new JVM", protection.label(), List.of(Cell.of(spread(figures, 0)),
					Cell.of(spread(figures, 1)), Cell.of(spread(figures, 2)), Cell.of(spread(figures, 3))))));
		addFindings(of(read, Protection.BY_HAND), of(read, Protection.STARTER), findings);
		return new Table("by-hand-start", "A filter by hand and the starter: the start", STARTED, 0, rows);
	}

	private static void addFindings(List<double[]> byHand, List<double[]> starter, List<Finding> findings) {
		findings.add(Finding.atMost("Start with the first answer: at most 300 ms more than a filter by hand",
				spread(starter, 0).median() - spread(byHand, 0).median(), " ms", 300));
		findings.add(Finding.atMost("Resident memory after the first request: at most 15 MB more than a filter by hand",
				spread(starter, 1).median() - spread(byHand, 1).median(), " MB", 15));
		findings.add(Finding.atMost("Classes loaded after the first request: at most 900 more than a filter by hand",
				spread(starter, 2).median() - spread(byHand, 2).median(), "", 900));
		findings.add(Finding.atMost("CPU of the first " + FIRST + " inserts: at most 1.2 × that of a filter by hand",
				spread(starter, 3).median() / spread(byHand, 3).median(), " ×", 1.2));
	}

	/** One JVM after the other, each alone on the machine. */
	private static Table warmUp(Effort effort, Postgres postgres, List<Finding> findings,
			Map<Protection, List<Point>> read, Map<String, String> drawings) throws Exception {
		for (Protection protection : effort.full() ? COMPARED : List.<Protection>of()) {
			try (ProtectedChild shop = ProtectedChild.start(protection, postgres)) {
				read.put(protection, WarmUp.of(shop.shop(), true));
			}
		}
		List<Point> byHand = of(read, Protection.BY_HAND);
		List<Point> starter = of(read, Protection.STARTER);
		List<Table.Row> rows = new ArrayList<>();
		for (int i = 0; i < byHand.size(); i++) {
			Point hand = byHand.get(i);
			Point own = starter.get(i);
			if (!SHOWN.contains(hand.second())) {
				continue;
			}
			rows.add(new Table.Row(Line.EMPTY.title(), "until " + hand.second() + " s",
					List.of(exactly(hand.perSecond()), exactly(own.perSecond()),
							exactly(own.perSecond() / hand.perSecond()), exactly(hand.compilerSeconds()),
							exactly(own.compilerSeconds()))));
		}
		findings.add(Finding.atMost("CPU of the compilers in three minutes: at most 1.15 × that with a filter by hand",
				last(starter).compilerSeconds() / last(byHand).compilerSeconds(), " ×", 1.15));
		// In place of the bars of the table.
		drawings.put("by-hand-warm-up", curves(read));
		return new Table("by-hand-warm-up", "A filter by hand and the starter: the first three minutes",
				List.of("filter by hand, requests per second", "starter, requests per second", "× by hand",
						"filter by hand, s of CPU of its compilers", "starter, s of CPU of its compilers"),
				2, rows);
	}

	private static String curves(Map<Protection, List<Point>> read) {
		Curves curves = new Curves("Requests per second in the first three minutes, " + Line.EMPTY.title());
		read.forEach((protection, points) -> curves.add(protection.label(),
				points.stream().mapToDouble(Point::second).toArray(),
				points.stream().mapToDouble(Point::perSecond).toArray()));
		return curves.draw();
	}

	/** The first requests of new JVMs. */
	private static void flames(Postgres postgres, Map<String, String> drawings) throws Exception {
		for (Protection protection : COMPARED) {
			try (ProtectedChild shop = ProtectedChild.start(protection, postgres)) {
				drawings.put(ByHandArea.flame("cold", protection),
						CpuProfile.during(shop.shop().process(), () -> shop.microsOfAnInsert(FIRST))
							.flameGraph("the first " + FIRST + " inserts, " + protection.label()));
			}
		}
	}

	private static Spread spread(List<double[]> figures, int column) {
		return Spread.of(figures.stream().mapToDouble((each) -> each[column]).toArray());
	}

	private static Cell exactly(double figure) {
		return Cell.of(Spread.exactly(figure));
	}

	private static Point last(List<Point> points) {
		return points.get(points.size() - 1);
	}

	private static <T> T of(Map<Protection, T> read, Protection protection) {
		return Objects.requireNonNull(read.get(protection));
	}

}
