package io.idempotent.benchmarks.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;

/**
 * What records take in the heap, beside a plain map that has the same keys, and the
 * answers as its values.
 */
final class LocalMemory {

	private static final double MEBIBYTE = 1 << 20;

	private static final int ANSWER = 500;

	private final int records;

	private LocalMemory(int records) {
		this.records = records;
	}

	static Results measure(Effort effort) throws Exception {
		LocalMemory memory = new LocalMemory(effort.either(1_000_000, 1_000));
		List<Table.Row> rows = new ArrayList<>();
		rows.add(memory.row("plain map", "MAP", 0));
		rows.add(memory.row("plain map", "MAP", ANSWER));
		rows.add(memory.row("store", Kind.IN_PROGRESS.name(), 0));
		rows.add(memory.row("store", Kind.TOMBSTONE.name(), 0));
		rows.add(memory.row("store", Kind.COMPLETED.name(), ANSWER));
		String title = String.format(Locale.ROOT, "Memory: %,d records in the heap", memory.records);
		return new Results(List.of(new Table("memory-local", title, List.of("bytes a record", "MiB in all"), 0, rows)),
				List.of());
	}

	private Table.Row row(String group, String kind, int answer) throws IOException, InterruptedException {
		double[] figures = ChildJvm
			.run(LocalHeap.class, "2g", List.of(String.valueOf(this.records), kind, String.valueOf(answer)))
			.get(0);
		if (figures[2] != this.records) {
			throw new IllegalStateException("Not all of " + this.records + " records are there");
		}
		double bytes = figures[1] - figures[0];
		return new Table.Row(group, name(kind, answer),
				List.of(Cell.of(Spread.exactly(bytes / this.records)), Cell.of(Spread.exactly(bytes / MEBIBYTE))));
	}

	private static String name(String kind, int answer) {
		return kind.equals("MAP") ? Form.bytes(answer) : new Form(Kind.valueOf(kind), answer).title();
	}

}
