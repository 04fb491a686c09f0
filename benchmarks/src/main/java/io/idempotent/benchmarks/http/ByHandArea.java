package io.idempotent.benchmarks.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
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
 * and PostgreSQL behind it, what they cost each process, and what the start costs.
 */
public final class ByHandArea implements Area {

	/** A JSON document of 16 kB. */
	private static final String DOCUMENT = "{\"id\":\"4711\",\"product\":\"" + "umbrella ".repeat(1800)
			+ "\",\"quantity\":2}";

	private static final int PER_SECOND = 200;

	@Override
	public String name() {
		return "by-hand";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Finding> findings = new ArrayList<>();
		Map<Protection, ProtectedChild> shops = new EnumMap<>(Protection.class);
		try (Postgres postgres = Postgres.start()) {
			Table start = start(effort, postgres, shops, findings);
			Table requests = requests(effort, shops, findings);
			return new Results(List.of(requests, profile(effort, shops), start), findings);
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

	/** What the JIT compiler costs is part of the start. */
	private static void warmUp(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
		if (effort.full()) {
			for (Line line : Line.values()) {
				line.run(new Effort(true, 1, effort.turn().multipliedBy(8)), shops);
			}
		}
	}

	private static Table.Row row(Line line, Figures one, Map<Protection, Figures> figures) {
		double byHand = of(figures, Protection.BY_HAND).throughput().median();
		List<Cell> cells = new ArrayList<>(List.of(Cell.of(one.throughput()),
				Cell.of(Spread.exactly(one.throughput().median() / byHand)), Cell.of(one.p50()), Cell.of(one.p99())));
		one.used().values().forEach((used) -> cells.add(Cell.of(used)));
		return new Table.Row(line.title, one.contender(), cells);
	}

	private static List<Finding> findings(Line line, Map<Protection, Figures> figures) {
		Figures byHand = of(figures, Protection.BY_HAND);
		if (line.pace == Pace.NEW_KEYS_AT_A_RATE) {
			return List.of(Finding.atMost(line.title + ", starter: p99 at most that of a filter by hand",
					of(figures, Protection.STARTER).p99().median() / byHand.p99().median(), " ×", 1));
		}
		List<Finding> findings = new ArrayList<>();
		for (Protection protection : List.of(Protection.STARTER, Protection.RECEIPTS, Protection.NEAR_CACHE)) {
			double bound = (protection == Protection.RECEIPTS) ? 0.9 : 1;
			findings.add(Finding.atLeast(
					line.title + ", " + protection.label() + ": at least " + bound
							+ " × the requests of a filter by hand",
					of(figures, protection).throughput().median() / byHand.throughput().median(), " ×", bound));
		}
		findings.add(Finding.atMost(line.title + ": at most 1.1 × the CPU of Redis of a filter by hand",
				redis(of(figures, Protection.STARTER)) / redis(byHand), " ×", 1.1));
		return findings;
	}

	private static double redis(Figures figures) {
		return Objects.requireNonNull(figures.used().get("Redis")).median();
	}

	private static <T> T of(Map<Protection, T> figures, Protection protection) {
		return Objects.requireNonNull(figures.get(protection));
	}

	/** Shares of the sampled time, as microseconds of processor time of a request. */
	private static Table profile(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
		Effort longer = new Effort(effort.full(), 1, effort.turn().multipliedBy(effort.either(10, 1)));
		Map<String, List<Cell>> cells = new LinkedHashMap<>();
		List<String> labels = new ArrayList<>();
		for (Protection protection : List.of(Protection.NONE, Protection.BY_HAND, Protection.STARTER)) {
			ProtectedChild shop = of(shops, protection);
			List<Figures> measured = new ArrayList<>();
			Map<String, Double> shares = CpuProfile.during(shop.shop().process(),
					() -> measured.addAll(Line.EMPTY.run(longer, Map.of(protection, shop)).values()));
			double micros = Objects.requireNonNull(measured.get(0).used().get("application")).median();
			shares.forEach((owner, percent) -> cells.computeIfAbsent(owner, (absent) -> new ArrayList<>())
				.add(Cell.of(Spread.exactly(percent * micros / 100))));
			labels.add(protection.label() + ", µs");
		}
		return new Table("by-hand-profile", "The application's processor time of a request, by whose code runs", labels,
				2,
				cells.entrySet()
					.stream()
					.map((row) -> new Table.Row(Line.EMPTY.title, row.getKey(), row.getValue()))
					.toList());
	}

	/** New JVMs in each round. Those of the last round stay. */
	private static Table start(Effort effort, Postgres postgres, Map<Protection, ProtectedChild> shops,
			List<Finding> findings) throws Exception {
		int rounds = effort.either(5, 1);
		int requests = effort.either(200, 1);
		Map<Protection, double[][]> read = new EnumMap<>(Protection.class);
		for (int round = 0; round < rounds; round++) {
			for (Protection protection : Protection.values()) {
				ProtectedChild shop = ProtectedChild.start(protection, postgres);
				shops.put(protection, shop);
				double[][] figures = read.computeIfAbsent(protection, (absent) -> new double[3][rounds]);
				figures[0][round] = shop.millisToFirstAnswer();
				figures[1][round] = shop.megabytes();
				figures[2][round] = shop.microsOfAnInsert(requests);
				if (round < rounds - 1) {
					shop.close();
				}
			}
		}
		List<Table.Row> rows = new ArrayList<>();
		read.forEach((protection, figures) -> rows.add(new Table.Row("a new JVM", protection.label(), List
			.of(Cell.of(Spread.of(figures[0])), Cell.of(Spread.of(figures[1])), Cell.of(Spread.of(figures[2]))))));
		double[][] byHand = of(read, Protection.BY_HAND);
		double[][] starter = of(read, Protection.STARTER);
		findings.add(Finding.atMost("Start with the first answer: at most 300 ms more than a filter by hand",
				Spread.of(starter[0]).median() - Spread.of(byHand[0]).median(), " ms", 300));
		findings.add(Finding.atMost("Resident memory after the first request: at most 20 MB more than a filter by hand",
				Spread.of(starter[1]).median() - Spread.of(byHand[1]).median(), " MB", 20));
		return new Table("by-hand-start", "A filter by hand and the starter: the start",
				List.of("until the first answer, ms", "resident memory after it, MB",
						"application, µs of CPU for each of the first " + requests + " inserts"),
				0, rows);
	}

	/**
	 * What is requested.
	 */
	private enum Line {

		INSERT_ALONE("insert, 1 connection", "/insert", Requests.ORDER, 1, Pace.NEW_KEYS),

		INSERT("insert, 16 connections", "/insert", Requests.ORDER, 16, Pace.NEW_KEYS),

		INSERT_OF_MANY("insert, 64 connections", "/insert", Requests.ORDER, 64, Pace.NEW_KEYS),

		INSERT_AT_A_RATE("insert, " + PER_SECOND + " a second", "/insert", Requests.ORDER, 16, Pace.NEW_KEYS_AT_A_RATE),

		EMPTY("empty handler, 16 connections", "/order-by-key", Requests.ORDER, 16, Pace.NEW_KEYS),

		LARGE("16 kB each way, 16 connections", "/order-by-key", DOCUMENT, 16, Pace.NEW_KEYS),

		REPLAY("replay of known keys, 16 connections", "/insert", Requests.ORDER, 16, Pace.KNOWN_KEYS);

		private final String title;

		private final String path;

		private final String body;

		private final int connections;

		private final Pace pace;

		Line(String title, String path, String body, int connections, Pace pace) {
			this.title = title;
			this.path = path;
			this.body = body;
			this.connections = connections;
			this.pace = pace;
		}

		Map<Protection, Figures> run(Effort effort, Map<Protection, ProtectedChild> shops) throws Exception {
			Map<Protection, Contender> contenders = new EnumMap<>(Protection.class);
			List<Load> loads = new ArrayList<>();
			for (Map.Entry<Protection, ProtectedChild> shop : shops.entrySet()) {
				Load load = new Load(shop.getValue().shop(), this.connections);
				loads.add(load);
				if (this.pace != Pace.KNOWN_KEYS || shop.getKey() != Protection.NONE) {
					contenders.put(shop.getKey(), contender(shop.getKey(), load).with(shop.getValue().meters()));
				}
			}
			Map<String, Figures> figures = new Contest(effort, this.connections).run(List.copyOf(contenders.values()));
			for (Load load : loads) {
				load.close();
			}
			Map<Protection, Figures> byProtection = new EnumMap<>(Protection.class);
			contenders.forEach((protection, contender) -> byProtection.put(protection,
					Objects.requireNonNull(figures.get(contender.name()))));
			return byProtection;
		}

		private Contender contender(Protection protection, Load load) throws Exception {
			String label = protection.label();
			return switch (this.pace) {
				case NEW_KEYS -> load.firstByKey(label, this.path, this.body);
				case NEW_KEYS_AT_A_RATE -> load.firstByKey(label, this.path, this.body, PER_SECOND);
				case KNOWN_KEYS -> load.duplicateByKey(label, this.path, this.body);
			};
		}

	}

	/**
	 * When requests are sent, and under which keys.
	 */
	private enum Pace {

		NEW_KEYS, NEW_KEYS_AT_A_RATE, KNOWN_KEYS

	}

}
