package io.idempotent.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.PostgresStore;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordState;

/**
 * How long an operator waits for a record among many.
 */
public final class LookUpArea implements Area {

	private static final int UNKNOWN = 50;

	/** Further than any store is filled. */
	private static final long FIRST_FREE = 1L << 40;

	private static final double NANOS_IN_A_MICRO = 1_000;

	@Override
	public String name() {
		return "lookup";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		long size = Long.getLong("benchmarks.records", effort.full() ? 10_000_000L : 1_000L);
		return redis(effort, size).and(postgres(effort, size));
	}

	private static Results redis(Effort effort, long size) throws Exception {
		try (RedisStore redis = new RedisStore()) {
			RedisFiller.fill(redis, size);
			leaveUnknown(redis.records());
			List<Table.Row> rows = new ArrayList<>(rows(effort, List.of(byKey(redis.store(), size), //
					unknown(redis.store()))));
			rows.add(search(redis.store(), "short hash, by a search", Records.key(size / 2)));
			rows.add(search(redis.store(), "short hash without a record", Records.key(size)));
			return results("lookup-redis", "Redis", size, rows);
		}
	}

	private static Results postgres(Effort effort, long size) throws Exception {
		try (PostgresStore postgres = new PostgresStore()) {
			String table = PostgresScale.table(size);
			Records records = postgres.create(table);
			PostgresScale.fill(postgres, records, size);
			leaveUnknown(records);
			RecordAdministration store = postgres.store(table);
			return results("lookup-postgresql", "PostgreSQL", size,
					rows(effort, List.of(byKey(store, size), byShortHash(store, size), unknown(store))));
		}
	}

	private static void leaveUnknown(Records records) {
		for (int i = 0; i < UNKNOWN; i++) {
			records.leaveUnknown(records.claim(Records.key(FIRST_FREE + i)));
		}
	}

	private static Contender byKey(RecordAdministration store, long size) {
		return new Contender("key", (stopwatch) -> {
			OperationKey key = any(size);
			stopwatch.start();
			RecordState state = store.inspect(key).state();
			stopwatch.stop();
			require(state == RecordState.COMPLETED);
		});
	}

	private static Contender byShortHash(RecordAdministration store, long size) {
		return new Contender("short hash", (stopwatch) -> {
			OperationKey key = any(size);
			stopwatch.start();
			List<OperationKey> found = store.findKeys(new KeyPrefix(key.toString()), 10).keys();
			stopwatch.stop();
			require(found.equals(List.of(key)));
		});
	}

	private static Contender unknown(RecordAdministration store) {
		return new Contender(UNKNOWN + " unknown outcomes", (stopwatch) -> {
			stopwatch.start();
			int found = store.unknown(UNKNOWN).records().size();
			stopwatch.stop();
			require(found == UNKNOWN);
		});
	}

	/** Too long for turns: once. */
	private static Table.Row search(RecordAdministration store, String what, OperationKey key) {
		long start = System.nanoTime();
		store.findKeys(new KeyPrefix(key.toString()), 10);
		Cell took = Cell.of(Spread.exactly((System.nanoTime() - start) / NANOS_IN_A_MICRO));
		return new Table.Row(what, "once", List.of(took, took));
	}

	private static OperationKey any(long size) {
		return Records.key(ThreadLocalRandom.current().nextLong(size));
	}

	private static void require(boolean found) {
		if (!found) {
			throw new IllegalStateException("A record was not found");
		}
	}

	private static List<Table.Row> rows(Effort effort, List<Contender> contenders) throws Exception {
		Map<String, Figures> figures = new Contest(effort, 1).run(contenders);
		return contenders.stream().map((contender) -> {
			Figures found = Objects.requireNonNull(figures.get(contender.name()));
			return new Table.Row(contender.name(), "one thread", List.of(Cell.of(found.p50()), Cell.of(found.p99())));
		}).toList();
	}

	private static Results results(String id, String kind, long size, List<Table.Row> rows) {
		String title = kind + ": looking up one of " + String.format(Locale.ROOT, "%,d", size) + " records";
		return new Results(List.of(new Table(id, title, List.of("p50 µs", "p99 µs"), 0, rows)), List.of());
	}

}
