package io.idempotent.benchmarks.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.embedded.EmbeddedRedis;

/**
 * What an hour of a hundred operations a second leaves in heap, threads and the library's
 * maps, when it is over in minutes. The first ten minutes make connections and load
 * classes; after them nothing may grow.
 */
final class HourOfLoad {

	private static final double MEBIBYTE = 1 << 20;

	private static final int LOOKS = 6;

	private static final double FLAT = 3;

	private HourOfLoad() {
	}

	static Results measure(Effort effort) throws Exception {
		int looks = effort.either(LOOKS, 2);
		try (EmbeddedRedis redis = EmbeddedRedis.start()) {
			List<double[]> figures = ChildJvm.run(Hour.class, "256m", List.of(String.valueOf(redis.port()),
					String.valueOf(effort.either(360_000, 400)), String.valueOf(looks)));
			List<Table.Row> rows = new ArrayList<>();
			for (int look = 0; look <= looks; look++) {
				rows.add(row((look == 0) ? "at the start" : "after " + 60 * look / looks + " minutes' worth",
						figures.get(look)));
			}
			return new Results(
					List.of(new Table("memory-hour", "Memory: an hour's load in one go",
							List.of("MiB of heap after GC", "threads", "objects of the library"), 0, rows)),
					findings(figures.get(1), figures.get(looks)));
		}
	}

	private static Table.Row row(String name, double[] figures) {
		return new Table.Row("", name, List.of(Cell.of(Spread.exactly(figures[0] / MEBIBYTE)),
				Cell.of(Spread.exactly(figures[1])), Cell.of(Spread.exactly(figures[2]))));
	}

	private static List<Finding> findings(double[] early, double[] late) {
		return List.of(
				Finding.atMost(String.format(Locale.ROOT, "An hour's load: heap grows by at most %.0f%%", FLAT),
						100.0 * (late[0] - early[0]) / early[0], "%", FLAT),
				Finding.atMost("An hour's load: no thread more", late[1] - early[1], "", 0), Finding
					.atMost("An hour's load: nothing left in the library's maps", late[2] - early[2], " objects", 0));
	}

}
