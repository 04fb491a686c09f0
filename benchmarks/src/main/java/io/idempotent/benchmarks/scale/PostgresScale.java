package io.idempotent.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.PostgresStore;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;

/**
 * One table for each size, in one PostgreSQL.
 */
final class PostgresScale implements SizeContest.Reading {

	private static final double MEBIBYTE = 1 << 20;

	private final PostgresStore postgres;

	private PostgresScale(PostgresStore postgres) {
		this.postgres = postgres;
	}

	static Results measure(Effort effort, List<Long> sizes) throws Exception {
		try (PostgresStore postgres = new PostgresStore()) {
			List<Filled> stores = new ArrayList<>();
			for (long size : sizes) {
				Records records = postgres.create(table(size));
				fill(postgres, records, size);
				stores.add(new Filled(size, records, Records.RETENTION, (key) -> postgres.sql()
					.update("delete from " + table(size) + " where operation_key = ?", key.digest().bytes())));
			}
			return new SizeContest(effort, stores, new PostgresScale(postgres)).run("scale-postgresql", "PostgreSQL");
		}
	}

	static String table(long size) {
		return "records_" + size;
	}

	/** Copies of a real record, and the indexes afterwards, which is much faster. */
	static void fill(PostgresStore postgres, Records records, long size) {
		records.complete(records.claim(Records.key(0)), Filled.ANSWER, Records.RETENTION);
		postgres.sql()
			.execute("""
					alter table {t} drop constraint {t}_pkey;
					drop index {t}_expiry;
					insert into {t} select sha256(int8send(n)), format, state, attempt, took_over, owner, fingerprint,
					lease_end, token_end, retention, expires_at, answer from {t}, generate_series(1, {last}) n;
					set maintenance_work_mem = '512MB';
					alter table {t} add primary key (operation_key);
					create index {t}_expiry on {t} (expires_at)""".replace("{t}", table(size))
				.replace("{last}", String.valueOf(size - 1)));
		postgres.sql().execute("vacuum (freeze, analyze) " + table(size));
	}

	@Override
	public String column() {
		return "MiB on disk";
	}

	@Override
	public Cell end(Filled store, Figures figures) {
		return Cell.of(Spread.exactly(this.postgres.size(table(store.size())) / MEBIBYTE));
	}

}
