package io.idempotent.benchmarks.inprocess;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What a call costs in its own process.
 */
public final class InProcessArea implements Area {

	private static final String HTTP = HttpPath.class.getName() + ".";

	private static final String NEAR = NearCachePath.class.getName() + ".";

	private static final String OBSERVED = ObservedPath.class.getName() + ".";

	private static final String BEAN = BeanPath.class.getName() + ".";

	@Override
	public String name() {
		return "inprocess";
	}

	@Override
	public Results measure(Effort effort) throws RunnerException {
		Map<String, Cost> costs = new HashMap<>();
		for (RunResult result : new Runner(options(effort)).run()) {
			costs.put(result.getParams().getBenchmark(), Cost.of(result));
		}
		Costs all = new Costs(costs);
		return new Results(List.of(http(all), bean(all), observed(all)), findings(all));
	}

	private static Options options(Effort effort) {
		ChainedOptionsBuilder options = new OptionsBuilder().include(Pattern.quote(HTTP))
			.include(Pattern.quote(NEAR))
			.include(Pattern.quote(OBSERVED))
			.include(Pattern.quote(BEAN))
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT);
		return (effort.full()
				? options.forks(1)
					.jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
					.warmupIterations(5)
					.warmupTime(TimeValue.seconds(1))
					.measurementIterations(7)
					.measurementTime(TimeValue.seconds(1))
				: options.forks(0)
					.warmupIterations(0)
					.measurementIterations(1)
					.measurementTime(TimeValue.milliseconds(10)))
			.build();
	}

	private static Table http(Costs costs) {
		List<Table.Row> rows = new ArrayList<>();
		rows.add(costs.of(HTTP + "direct").row("handler alone"));
		rows.add(costs.of(HTTP + "unannotated").row("not annotated, through filter and interceptor"));
		rows.add(costs.of(HTTP + "first").row("first call, JSON body"));
		rows.add(costs.of(HTTP + "firstWithoutBody").row("first call, no body"));
		rows.add(costs.of(NEAR + "first").row("first call, JSON body, into the near cache as well"));
		rows.add(costs.of(HTTP + "contentKey").row("first call, JSON body, SpEL key of the content"));
		rows.add(costs.of(HTTP + "duplicate").row("duplicate, JSON body, from the store"));
		rows.add(costs.of(NEAR + "duplicate").row("duplicate, JSON body, from the near cache"));
		return new Table("inprocess-http", "In process: filter, interceptor, handler and answer; local store",
				Cost.COLUMNS, 0, rows);
	}

	private static Table bean(Costs costs) {
		List<Table.Row> rows = new ArrayList<>();
		rows.add(costs.of(BEAN + "direct").row("method alone"));
		rows.add(costs.of(BEAN + "key").row("SpEL key alone"));
		rows.add(costs.of(BEAN + "idempotent").row("@Idempotent with SpEL key, first call"));
		rows.add(costs.of(BEAN + "idempotentDuplicate").row("@Idempotent with SpEL key, duplicate"));
		rows.add(costs.of(BEAN + "locked").row("@DistributedLocked"));
		rows.add(costs.of(BEAN + "lockedByKey").row("@DistributedLocked with SpEL key"));
		return new Table("inprocess-bean", "In process: a bean method; local store, local lock engine", Cost.COLUMNS, 0,
				rows);
	}

	private static Table observed(Costs costs) {
		List<Table.Row> rows = new ArrayList<>();
		rows.add(costs.of(OBSERVED + "micrometer").row("an observation of Micrometer alone, without a scope"));
		rows.add(costs.of(OBSERVED + "first").row("first call, JSON body"));
		rows.add(costs.of(OBSERVED + "firstWithoutBody").row("first call, no body"));
		rows.add(costs.of(OBSERVED + "duplicate").row("duplicate, JSON body, from the store"));
		rows.add(costs.of(OBSERVED + "idempotent").row("@Idempotent with SpEL key, first call"));
		rows.add(costs.of(OBSERVED + "locked").row("@DistributedLocked"));
		return new Table("inprocess-observed", "In process, with an observation registry that measures times",
				Cost.COLUMNS, 0, rows);
	}

	private static List<Finding> findings(Costs costs) {
		Cost direct = costs.of(HTTP + "direct");
		Cost unannotated = costs.of(HTTP + "unannotated").minus(direct);
		Cost first = costs.of(HTTP + "firstWithoutBody").minus(direct);
		Cost json = costs.of(HTTP + "first").minus(direct);
		return List.of(
				Finding.atMost("Handler that is not annotated: at most 100 ns more", unannotated.nanos().median(),
						" ns", 100),
				Finding.atMost("Handler that is not annotated: at most 100 bytes more", unannotated.bytes().median(),
						" bytes", 100),
				Finding.atMost("First call, local store: at most 3 µs more than the handler alone",
						first.nanos().median() / 1000, " µs", 3),
				Finding.atMost("First call, local store: at most 2 KiB more than the handler alone",
						first.bytes().median(), " bytes", 2048),
				Finding.atMost("First call with a JSON body, local store: at most 3 µs more than the handler alone",
						json.nanos().median() / 1000, " µs", 3),
				Finding.atMost("First call with a JSON body, local store: at most 2 KiB more than the handler alone",
						json.bytes().median(), " bytes", 2048),
				Finding.atMost("Duplicate from the near cache: at most 20 µs",
						costs.of(NEAR + "duplicate").nanos().median() / 1000, " µs", 20),
				Finding.atMost("Observation of a first call: at most 1 µs more",
						costs.of(OBSERVED + "firstWithoutBody")
							.minus(costs.of(HTTP + "firstWithoutBody"))
							.nanos()
							.median() / 1000,
						" µs", 1),
				Finding.atMost("SpEL key: at most 1 µs", costs.of(BEAN + "key").nanos().median() / 1000, " µs", 1));
	}

	private record Costs(Map<String, Cost> byBenchmark) {

		Cost of(String benchmark) {
			Cost cost = this.byBenchmark.get(benchmark);
			if (cost == null) {
				throw new IllegalStateException(benchmark + " was not measured");
			}
			return cost;
		}

	}

	/**
	 * What one call costs.
	 *
	 * @param nanos the time of one
	 * @param bytes what it allocates
	 */
	private record Cost(Spread nanos, Spread bytes) {

		static final List<String> COLUMNS = List.of("ns", "bytes allocated");

		static Cost of(RunResult run) {
			List<IterationResult> iterations = List.copyOf(run.getAggregatedResult().getIterationResults());
			return new Cost(Spread
				.of(iterations.stream().mapToDouble((iteration) -> iteration.getPrimaryResult().getScore()).toArray()),
					Spread.of(iterations.stream().mapToDouble(Cost::allocated).toArray()));
		}

		// JMH hands its results out as a raw type.
		@SuppressWarnings("rawtypes")
		private static double allocated(IterationResult iteration) {
			return iteration.getSecondaryResults()
				.entrySet()
				.stream()
				.filter((result) -> result.getKey().endsWith("gc.alloc.rate.norm"))
				.mapToDouble((result) -> result.getValue().getScore())
				.findFirst()
				.orElseThrow();
		}

		Cost minus(Cost other) {
			return new Cost(Spread.exactly(this.nanos.median() - other.nanos.median()),
					Spread.exactly(this.bytes.median() - other.bytes.median()));
		}

		Table.Row row(String name) {
			return new Table.Row("", name, List.of(Cell.of(this.nanos), Cell.of(this.bytes)));
		}

	}

}
