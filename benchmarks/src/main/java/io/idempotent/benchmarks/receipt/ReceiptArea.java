package io.idempotent.benchmarks.receipt;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the deletion of old receipts costs PostgreSQL, and the transactions beside it, in
 * a plain table and in one that is partitioned by hash.
 */
public final class ReceiptArea implements Area {

	@Override
	public String name() {
		return "receipts";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Table.Row> rows = new ArrayList<>();
		for (Layout layout : Layout.values()) {
			try (Postgres postgres = Postgres.start()) {
				JdbcClient sql = JdbcClient.create(postgres.dataSource());
				// It would run now and again, beside one row of the table and not
				// another.
				sql.sql("alter system set autovacuum = off").update();
				sql.sql("select pg_reload_conf()").query().singleValue();
				rows.addAll(new ReceiptPurging(postgres, layout, effort.either(5_000_000, 5_000)).measure(effort));
			}
		}
		return new Results(List.of(new Table(
				"receipts-purge", "Deleting one fifth of 5,000,000 receipts", List.of("rows a second",
						"µs of CPU a row", "bytes of WAL a row", "p50 of transactions, µs", "p99 of transactions, µs"),
				0, rows)), List.of());
	}

}
