package io.idempotent.benchmarks.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.embedded.EmbeddedRedis;

/**
 * Requests over a real Tomcat: three JVMs, of which one runs the application with the
 * starter and two run it without. The second of these shows by how much two JVMs differ
 * that do the same.
 */
public final class HttpArea implements Area {

	private static final String WITHOUT = "POST, without the starter";

	private static final int MANY = 16;

	@Override
	public String name() {
		return "http";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				Child with = Child.start(WithStarter.class, at(redis));
				Child without = Child.start(WithoutStarter.class, at(redis));
				// What two JVMs differ by is a figure, which a smoke pass does not want.
				Child control = effort.full() ? Child.start(WithoutStarter.class, at(redis)) : without) {
			warmUp(effort, with, without, control);
			List<Table.Row> unannotated = new ArrayList<>();
			double get = compare(effort, "GET", List.of(without, with, control), unannotated);
			double post = compare(effort, "POST", List.of(without, with, control), unannotated);
			List<Table.Row> annotated = new ArrayList<>();
			annotated(effort, 1, with, without, annotated);
			annotated(effort, effort.either(MANY, 2), with, without, annotated);
			return new Results(tables(unannotated, annotated), List.of(atLeast99("GET", get), atLeast99("POST", post)));
		}
	}

	private static List<String> at(EmbeddedRedis redis) {
		return List.of("--spring.data.redis.port=" + redis.port());
	}

	private static List<Table> tables(List<Table.Row> unannotated, List<Table.Row> annotated) {
		return List.of(
				new Table("http-unannotated", "Over Tomcat: an endpoint that is not annotated, 16 connections",
						List.of("requests per second", "% of both without", "p50, µs", "p99, µs"), 0, unannotated),
				new Table("http", "Over Tomcat: what an annotated endpoint adds; records in Redis",
						List.of("requests per second", "p50, µs", "p99, µs", "added p50, µs", "added p99, µs"), 1,
						annotated));
	}

	private static Finding atLeast99(String method, double percent) {
		return Finding.atLeast(method + " to an endpoint that is not annotated, over Tomcat: "
				+ "at least 99 % of the throughput without the starter", percent, " %", 99);
	}

	/**
	 * Lets the compilers of all JVMs come to rest.
	 */
	private static void warmUp(Effort effort, Child with, Child without, Child control) throws Exception {
		int threads = effort.either(MANY, 1);
		Effort warm = new Effort(effort.full(), 1, effort.full() ? Duration.ofSeconds(2) : effort.turn());
		try (Load starter = new Load(with, threads);
				Load plain = new Load(without, threads);
				Load second = new Load(control, threads)) {
			new Contest(warm, threads)
				.run(List.of(starter.get("1"), starter.post("2"), starter.firstByKey("3"), starter.duplicateByKey("4"),
						starter.firstByToken("5"), plain.get("6"), plain.post("7"), second.get("8"), second.post("9")));
		}
	}

	/**
	 * Short turns and many of them, since what is looked for is a small difference.
	 */
	private static double compare(Effort effort, String method, List<Child> applications, List<Table.Row> rows)
			throws Exception {
		Effort fine = new Effort(effort.full(), effort.either(25, 1),
				effort.full() ? Duration.ofMillis(300) : effort.turn());
		int threads = effort.either(MANY, 2);
		List<String> names = List.of("without the starter", "with the starter", "without the starter, another JVM");
		List<Load> loads = new ArrayList<>();
		List<Contender> contenders = new ArrayList<>();
		for (int i = 0; i < names.size(); i++) {
			Load load = new Load(applications.get(i), threads);
			loads.add(load);
			contenders.add(method.equals("GET") ? load.get(names.get(i)) : load.post(names.get(i)));
		}
		Map<String, Figures> figures = new Contest(fine, threads).run(contenders);
		for (Load load : loads) {
			load.close();
		}
		double without = (of(figures, names.get(0)).throughput().median()
				+ of(figures, names.get(2)).throughput().median()) / 2;
		for (String name : names) {
			Figures one = of(figures, name);
			rows.add(new Table.Row(method, name, List.of(Cell.of(one.throughput()),
					Cell.of(one.throughput().times(100 / without)), Cell.of(one.p50()), Cell.of(one.p99()))));
		}
		return 100 * of(figures, names.get(1)).throughput().median() / without;
	}

	private static void annotated(Effort effort, int threads, Child with, Child without, List<Table.Row> rows)
			throws Exception {
		try (Load starter = new Load(with, threads); Load plain = new Load(without, threads)) {
			Map<String, Figures> figures = new Contest(effort, threads).run(List.of(plain.post(WITHOUT),
					starter.post("POST, not annotated"), starter.firstByKey("Idempotency-Key, first call"),
					starter.duplicateByKey("Idempotency-Key, duplicate (near cache)"),
					starter.token("GET /token (stored)"), starter.firstByToken("token, submission")));
			String group = (threads == 1) ? "1 connection" : threads + " connections";
			Figures base = of(figures, WITHOUT);
			figures.values().forEach((one) -> rows.add(row(group, one, base)));
		}
	}

	private static Table.Row row(String group, Figures one, Figures base) {
		// The submission of a token is timed, but the turn goes to fetching it as well.
		Cell throughput = one.contender().equals("token, submission") ? Cell.NONE : Cell.of(one.throughput());
		return new Table.Row(group, one.contender(), List.of(throughput, Cell.of(one.p50()), Cell.of(one.p99()),
				added(one, one.p50(), base.p50()), added(one, one.p99(), base.p99())));
	}

	private static Cell added(Figures one, Spread figure, Spread without) {
		return one.contender().equals(WITHOUT) ? Cell.NONE
				: Cell.of(Spread.exactly(figure.median() - without.median()));
	}

	private static Figures of(Map<String, Figures> figures, String contender) {
		return Objects.requireNonNull(figures.get(contender));
	}

}
