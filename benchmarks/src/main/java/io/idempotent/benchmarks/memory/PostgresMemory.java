package io.idempotent.benchmarks.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.PostgresStore;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;

/**
 * What a record takes in PostgreSQL with its indexes: as written, where a claim and its
 * completion have left two versions of the row, and without what is dead.
 */
final class PostgresMemory {

	private final PostgresStore postgres;

	private final int records;

	private PostgresMemory(PostgresStore postgres, int records) {
		this.postgres = postgres;
		this.records = records;
	}

	static Results measure(Effort effort) throws Exception {
		try (PostgresStore postgres = new PostgresStore()) {
			PostgresMemory memory = new PostgresMemory(postgres, effort.either(5_000, 100));
			List<Table.Row> rows = new ArrayList<>();
			for (Form form : Form.all().toList()) {
				rows.add(memory.row(form));
			}
			return new Results(List.of(new Table("memory-postgresql", "Memory: one record in PostgreSQL",
					List.of("bytes as written", "bytes after VACUUM FULL"), 1, rows)), List.of());
		}
	}

	private Table.Row row(Form form) throws Exception {
		String table = form.kind().name().toLowerCase(Locale.ROOT) + "_" + form.answer();
		Records steps = this.postgres.create(table);
		Crowd.work(0, this.records, (number) -> form.kind().create(steps, Records.key(number), form.answer()));
		Cell written = each(table);
		this.postgres.sql().execute("vacuum full " + table);
		return new Table.Row("", form.title(), List.of(written, each(table)));
	}

	private Cell each(String table) {
		return Cell.of(Spread.exactly((double) this.postgres.size(table) / this.records));
	}

}
