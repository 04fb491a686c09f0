package io.idempotent.benchmarks.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.CpuProfile;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;

/**
 * The starter beside a filter that was written by hand: requests over Tomcat with Redis
 * and PostgreSQL behind it, and what they cost each process.
 */
public final class ByHandArea implements Area {

	/** Together they run all that the other lines run. */
	private static final List<Line> WARMING = List.of(Line.INSERT, Line.EMPTY, Line.LARGE, Line.REPLAY);

	@Override
	public String name() {
		return "by-hand";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Finding> findings = new ArrayList<>();
		Map<Protection, ProtectedChild> shops = new EnumMap<>(Protection.class);
		try (Postgres postgres = Postgres.start()) {
			for (Protection protection : Protection.values()) {
				shops.put(protection, ProtectedChild.start(protection, postgres));
			}
			Table requests = requests(effort, shops, findings);
			Map<String, String> flames = new LinkedHashMap<>();
			Table profile = profile(effort, shops, flames);
			Table counts = counts(effort, shops);
			return new Results(List.of(requests, profile, counts), findings, flames);
		}
		finally {
			shops.values().forEach(ProtectedChild::close);
		}
	}

	private static Table requests(Effort effort, Map<Protection, ProtectedChild> shops, List<Finding> findings)
			throws Exception {
		warmUp(effort, shops);
		List<Table.Row> rows = new ArrayList<>();
		for (Line line : Line.values()) {
			Map<Protection, Figures> figures = line.run(effort, shops);
			figures.forEach((protection, one) -> rows.add(row(line, one, figures)));
			findings.addAll(findings(line, figures));
		}
		return new Table("by-hand", "A filter by hand and the starter: requests over Tomcat",
				List.of("requests per second", "× by hand", "p50, µs", "p99, µs", "application, µs of CPU a request",
						"Redis, µs of CPU", "database, µs of CPU"),
				1, rows);
	}

	/** What the JIT compiler costs is measured by {@link ColdArea}. */
	private static void warmUp(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
		if (effort.full()) {
			for (Line line : WARMING) {
				line.run(new Effort(true, 1, effort.turn().multipliedBy(7)), shops);
			}
		}
	}

	private static Table.Row row(Line line, Figures one, Map<Protection, Figures> figures) {
		double byHand = of(figures, Protection.BY_HAND).throughput().median();
		List<Cell> cells = new ArrayList<>(List.of(Cell.of(one.throughput()),
				Cell.of(Spread.exactly(one.throughput().median() / byHand)), Cell.of(one.p50()), Cell.of(one.p99())));
		one.used().values().forEach((used) -> cells.add(Cell.of(used)));
		return new Table.Row(line.title(), one.contender(), cells);
	}

	private static List<Finding> findings(Line line, Map<Protection, Figures> figures) {
		Figures byHand = of(figures, Protection.BY_HAND);
		if (line.isAtARate()) {
			return List.of(Finding.atMost(line.title() + ", starter: p99 at most that of a filter by hand",
					of(figures, Protection.STARTER).p99().median() / byHand.p99().median(), " ×", 1));
		}
		List<Finding> findings = new ArrayList<>();
		for (Protection protection : List.of(Protection.STARTER, Protection.RECEIPTS, Protection.NEAR_CACHE)) {
			double bound = (protection == Protection.RECEIPTS) ? 0.9 : 1;
			findings.add(Finding.atLeast(
					line.title() + ", " + protection.label() + ": at least " + bound
							+ " × the requests of a filter by hand",
					of(figures, protection).throughput().median() / byHand.throughput().median(), " ×", bound));
		}
		findings.add(Finding.atMost(line.title() + ": at most 1.1 × the CPU of Redis of a filter by hand",
				redis(of(figures, Protection.STARTER)) / redis(byHand), " ×", 1.1));
		double jdbc = of(figures, Protection.JDBC).throughput().median();
		if (line == Line.INSERT) {
			findings.add(Finding.atLeast(line.title() + ", JDBC store: at least 0.65 × the requests without protection",
					jdbc / of(figures, Protection.NONE).throughput().median(), " ×", 0.65));
		}
		else if (line == Line.EMPTY) {
			findings.add(Finding.atLeast(line.title() + ", JDBC store: at least 0.8 × the requests of a filter by hand",
					jdbc / byHand.throughput().median(), " ×", 0.8));
		}
		return findings;
	}

	private static double redis(Figures figures) {
		return Objects.requireNonNull(figures.used().get("Redis")).median();
	}

	private static <T> T of(Map<Protection, T> figures, Protection protection) {
		return Objects.requireNonNull(figures.get(protection));
	}

	/** Shares of the sampled time, as microseconds of processor time of a request. */
	private static Table profile(Effort effort, Map<Protection, ProtectedChild> shops, Map<String, String> flames)
			throws Exception {
		Effort longer = new Effort(effort.full(), 1, effort.turn().multipliedBy(effort.either(10, 1)));
		Map<String, List<Cell>> cells = new LinkedHashMap<>();
		List<String> labels = new ArrayList<>();
		for (Protection protection : List.of(Protection.NONE, Protection.BY_HAND, Protection.STARTER)) {
			ProtectedChild shop = of(shops, protection);
			List<Figures> measured = new ArrayList<>();
			CpuProfile profile = CpuProfile.during(shop.shop().process(),
					() -> measured.addAll(Line.EMPTY.run(longer, Map.of(protection, shop)).values()));
			double micros = Objects.requireNonNull(measured.get(0).used().get("application")).median();
			flames.put(flame("warm", protection), profile.flameGraph(Line.EMPTY.title() + ", " + protection.label()));
			profile.shares()
				.forEach((owner, percent) -> cells.computeIfAbsent(owner, (absent) -> new ArrayList<>())
					.add(Cell.of(Spread.exactly(percent * micros / 100))));
			labels.add(protection.label() + ", µs");
		}
		return new Table("by-hand-profile", "The application's processor time of a request, by whose code runs", labels,
				2,
				cells.entrySet()
					.stream()
					.map((row) -> new Table.Row(Line.EMPTY.title(), row.getKey(), row.getValue()))
					.toList());
	}

	static String flame(String state, Protection protection) {
		return "by-hand-" + state + "-" + protection.label().replace(' ', '-');
	}

	/** Exact, so one turn each. */
	private static Table counts(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
		List<Table.Row> rows = new ArrayList<>();
		for (Line line : List.of(Line.INSERT, Line.EMPTY)) {
			line.run(new Effort(effort.full(), 1, effort.turn().multipliedBy(effort.either(3, 1))), shops,
					ProtectedChild::counters)
				.values()
				.forEach((one) -> rows.add(new Table.Row(line.title(), one.contender(),
						one.used().values().stream().map(Cell::of).toList())));
		}
		return new Table("by-hand-requests", "A filter by hand and the starter: what a request uses", List
			.of("commands of Redis", "bytes to Redis", "bytes from Redis", "waits of a thread", "bytes allocated"), 4,
				rows);
	}

}
