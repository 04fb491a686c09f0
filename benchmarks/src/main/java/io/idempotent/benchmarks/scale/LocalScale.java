package io.idempotent.benchmarks.scale;

import java.time.Duration;
import java.util.List;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.store.local.LocalIdempotencyStore;

/**
 * One store in memory for each size. Further records expire at once, and the store sweeps
 * them up by itself; throughput holds what that costs.
 */
final class LocalScale implements SizeContest.Reading {

	private static final Duration AT_ONCE = Duration.ofNanos(1);

	/** What a sweep leaves to accumulate at least. */
	private static final int SLACK = 1000;

	private LocalScale() {
	}

	static Results measure(Effort effort, List<Long> sizes) throws Exception {
		return new SizeContest(effort, sizes.stream().map(LocalScale::filled).toList(), new LocalScale())
			.run("scale-local", "In memory");
	}

	private static Filled filled(long size) {
		Records records = new Records(new LocalIdempotencyStore(Math.toIntExact(2 * size + SLACK)));
		for (long number = 0; number < size; number++) {
			records.complete(records.claim(Records.key(number)), Filled.ANSWER, Records.RETENTION);
		}
		return new Filled(size, records, AT_ONCE, (key) -> {
		});
	}

	@Override
	public String column() {
		return "per second";
	}

	@Override
	public Cell end(Filled store, Figures figures) {
		return Cell.of(figures.throughput());
	}

}
