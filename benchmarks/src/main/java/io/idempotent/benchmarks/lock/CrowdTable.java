package io.idempotent.benchmarks.lock;

import java.util.List;
import java.util.Map;

import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Table;

/**
 * What became of the crowds.
 */
final class CrowdTable {

	private CrowdTable() {
	}

	static List<Table.Row> rows(Kind kind, LockContests contests, int waiters) throws Exception {
		if (VirtualThreads.executor().isEmpty()) {
			return List.of(new Table.Row(kind.title(), "needs JDK 21", List.of(Cell.NONE)));
		}
		Map<String, Spread> seconds = contests.crowd(waiters);
		return seconds.entrySet()
			.stream()
			.map((entry) -> new Table.Row(kind.title(), entry.getKey(), List.of(Cell.of(entry.getValue()))))
			.toList();
	}

	static Table of(List<Table.Row> rows) {
		return new Table("lock-crowd", "10,000 virtual threads wait for one lock", List.of("seconds until all had it"),
				0, rows);
	}

}
