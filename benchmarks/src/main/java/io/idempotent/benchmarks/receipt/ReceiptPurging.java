package io.idempotent.benchmarks.receipt;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;
import io.idempotent.benchmarks.server.ReceiptedOrders;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.store.RecordEncryption;
import org.HdrHistogram.Histogram;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One table of receipts. Two fifths have expired: one half is deleted while nothing else
 * happens, the other one beside transactions that arrive at a fixed rate.
 */
final class ReceiptPurging {

	private static final String TABLE = "idempotent_receipt";

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private final Postgres postgres;

	private final JdbcTemplate sql;

	private final Layout layout;

	private final int receipts;

	ReceiptPurging(Postgres postgres, Layout layout, int receipts) {
		this.postgres = postgres;
		this.sql = new JdbcTemplate(postgres.dataSource());
		this.layout = layout;
		this.receipts = receipts;
	}

	List<Table.Row> measure(Effort effort) throws Exception {
		fill();
		List<Table.Row> rows = new ArrayList<>();
		ReceiptedOrders orders = new ReceiptedOrders(this.postgres.dataSource());
		orders.beside(Duration.ofMillis(effort.either(10_000, 20)), () -> null);
		Histogram alone = orders.beside(Duration.ofMillis(effort.either(15_000, 100)), () -> null);
		rows.add(new Table.Row(this.layout.title(), "only transactions",
				List.of(Cell.NONE, Cell.NONE, Cell.NONE, micros(alone, 50), micros(alone, 99))));
		rows.add(alone("purge", () -> purge(32)));
		rows.add(alone("VACUUM after it", this::vacuum));
		rows.add(beside("purge, beside transactions", orders, () -> purge(30)));
		rows.add(beside("VACUUM, beside transactions", orders, this::vacuum));
		return rows;
	}

	/**
	 * The order of keys is random, as it is for real ones; the indexes are made at last.
	 */
	private void fill() throws IOException {
		this.sql.execute(this.layout.schema());
		this.sql.execute("""
				alter table {t} drop constraint {t}_pkey;
				drop index {t}_age;
				insert into {t} select sha256(int8send(n)), decode(md5(n::text), 'hex'), 1, 'Orders.create',
				(extract(epoch from now()) * 1000000)::bigint - 86400000000 * case when n < {r} * 0.2 then 33
				when n < {r} * 0.4 then 31 else 29 end + n, null from generate_series(0, {r} - 1) n;
				set maintenance_work_mem = '512MB';
				alter table {t} add primary key (operation_key);
				create index {t}_age on {t} (created_at)""".replace("{t}", TABLE)
			.replace("{r}", String.valueOf(this.receipts)));
		this.sql.execute("vacuum (freeze, analyze) " + TABLE);
		// What is changed afterwards is written as whole pages first, as after every
		// checkpoint.
		this.sql.execute("checkpoint");
	}

	private Void purge(int days) {
		long deleted = new ReceiptGuard(this.postgres.dataSource(), TABLE, Duration.ofDays(days), TIMEOUT,
				RecordEncryption.NONE)
			.purge();
		if (deleted != this.receipts / 5) {
			throw new IllegalStateException(deleted + " receipts were deleted, of " + this.receipts / 5);
		}
		return null;
	}

	private Void vacuum() {
		this.sql.execute("checkpoint");
		this.sql.execute("vacuum " + TABLE);
		return null;
	}

	private Table.Row alone(String name, Callable<Void> work) throws Exception {
		double processor = this.postgres.processorMicros();
		double written = this.postgres.written();
		long start = System.nanoTime();
		work.call();
		return new Table.Row(this.layout.title(), name,
				List.of(perSecond(start), each(this.postgres.processorMicros() - processor),
						each(this.postgres.written() - written), Cell.NONE, Cell.NONE));
	}

	private Table.Row beside(String name, ReceiptedOrders orders, Callable<Void> work) throws Exception {
		List<Cell> speed = new ArrayList<>();
		Histogram latencies = orders.beside(Duration.ZERO, () -> {
			long start = System.nanoTime();
			work.call();
			speed.add(perSecond(start));
			return null;
		});
		return new Table.Row(this.layout.title(), name,
				List.of(speed.get(0), Cell.NONE, Cell.NONE, micros(latencies, 50), micros(latencies, 99)));
	}

	/** In each of two purges. */
	private int purged() {
		return this.receipts / 5;
	}

	private Cell perSecond(long start) {
		return Cell.of(Spread.exactly(purged() * 1e9 / (System.nanoTime() - start)));
	}

	private Cell each(double sum) {
		return Cell.of(Spread.exactly(sum / purged()));
	}

	private static Cell micros(Histogram latencies, double percentile) {
		return Cell.of(Spread.exactly(latencies.getValueAtPercentile(percentile) / 1e3));
	}

}
