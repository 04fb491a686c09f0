package io.idempotent.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Table;

/**
 * How long it takes until everybody in a crowd had the lock. Where a small one takes long
 * already, the large one is not tried: there are locks whose waiters cost each other
 * something.
 */
final class CrowdTable {

	private static final int SMALL = 500;

	private static final int LARGE = 10_000;

	private static final double LONG = 2;

	/** Enough for one contender. */
	private static final double PATIENCE = 12;

	private final Effort effort;

	private final List<Table.Row> rows = new ArrayList<>();

	CrowdTable(Effort effort) {
		this.effort = effort;
	}

	void measure(Kind kind, List<LockContender> contenders) throws Exception {
		if (VirtualThreads.executor().isEmpty()) {
			return;
		}
		for (LockContender contender : contenders) {
			Spread small = enter(contender, this.effort.either(SMALL, 20));
			Cell large = (small.median() > LONG) ? Cell.NONE
					: Cell.of(enter(contender, this.effort.either(LARGE, 100)));
			this.rows.add(new Table.Row(kind.title(), contender.name(), List.of(Cell.of(small), large)));
		}
	}

	private Spread enter(LockContender contender, int waiters) throws Exception {
		Crowd crowd = new Crowd(contender, waiters);
		List<Double> rounds = new ArrayList<>();
		double total = 0;
		while (rounds.size() < this.effort.either(3, 1) && total < PATIENCE) {
			double seconds = crowd.enter();
			rounds.add(seconds);
			total += seconds;
		}
		return Spread.of(rounds.stream().mapToDouble(Double::doubleValue).toArray());
	}

	Table asTable() {
		return new Table("lock-crowd", "Virtual threads that wait for one lock",
				List.of("seconds until 500 had it", "seconds until 10,000 had it"), 1, this.rows);
	}

}
