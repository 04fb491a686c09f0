package io.idempotent.benchmarks.memory;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;

/**
 * What a record takes where, and what remains after an hour's load.
 */
public final class MemoryArea implements Area {

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		return RedisMemory.measure(effort)
			.and(PostgresMemory.measure(effort))
			.and(LocalMemory.measure(effort))
			.and(HourOfLoad.measure(effort));
	}

}
