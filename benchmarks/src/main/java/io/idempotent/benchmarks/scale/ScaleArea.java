package io.idempotent.benchmarks.scale;

import java.util.List;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;

/**
 * What an operation costs as the store grows, and whether a Cluster shares the work.
 */
public final class ScaleArea implements Area {

	@Override
	public String name() {
		return "scale";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		// Differences of a few percent want many turns more than long ones.
		Effort turns = new Effort(effort.full(), 3 * effort.rounds(), effort.turn().dividedBy(6));
		return RedisScale.measure(turns, sizes(effort, 1_000L, 100_000L, 1_000_000L, 10_000_000L))
			.and(PostgresScale.measure(turns, sizes(effort, 1_000L, 100_000L, 1_000_000L, 10_000_000L)))
			.and(LocalScale.measure(turns, sizes(effort, 1_000L, 100_000L, 500_000L)))
			.and(ClusterScale.measure(turns));
	}

	private static List<Long> sizes(Effort effort, Long... full) {
		return effort.full() ? List.of(full) : List.of(100L, 1_000L);
	}

}
