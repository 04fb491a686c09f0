package io.idempotent.benchmarks.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;
import io.idempotent.benchmarks.records.RedisTalk;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.store.OperationKey;

import org.springframework.data.redis.connection.SetCondition;
import org.springframework.data.redis.core.types.Expiration;

/**
 * What a record takes in Redis, beside a plain key that has the same name, the same time
 * to live and the answer as its value.
 */
final class RedisMemory {

	private final RedisStore redis;

	private final int records;

	private RedisMemory(RedisStore redis, int records) {
		this.redis = redis;
		this.records = records;
	}

	static Results measure(Effort effort) throws Exception {
		try (RedisStore redis = new RedisStore()) {
			RedisMemory memory = new RedisMemory(redis, effort.either(10_000, 100));
			List<Table.Row> rows = new ArrayList<>();
			for (int answer : Form.answers().toArray()) {
				rows.add(memory.row("plain key", Form.bytes(answer), (key) -> memory.set(key, answer)));
			}
			for (Form form : Form.all().toList()) {
				rows.add(memory.row("record", form.title(),
						(key) -> form.kind().create(redis.records(), key, form.answer())));
			}
			return new Results(List.of(new Table("memory-redis", "Memory: one record in Redis",
					List.of("bytes, MEMORY USAGE", "bytes, used_memory by records"), 1, rows)), List.of());
		}
	}

	private Table.Row row(String group, String name, Creation creation) throws Exception {
		RedisTalk.tell(this.redis.server(), "FLUSHALL SYNC");
		// Scripts and connections are there before it counts.
		creation.create(Records.key(this.records));
		long before = this.redis.usedMemory();
		Crowd.work(0, this.records, (number) -> creation.create(Records.key(number)));
		double each = (double) (this.redis.usedMemory() - before) / this.records;
		return new Table.Row(group, name,
				List.of(Cell.of(Spread.exactly(memoryUsage(Records.key(0)))), Cell.of(Spread.exactly(each))));
	}

	private double memoryUsage(OperationKey key) throws IOException {
		return RedisTalk.number(this.redis.server(), "MEMORY USAGE " + RedisStore.name(key), "^:");
	}

	private void set(OperationKey key, int answer) {
		this.redis.connection()
			.stringCommands()
			.set(RedisStore.name(key).getBytes(StandardCharsets.US_ASCII), Kind.answer(answer), SetCondition.upsert(),
					Expiration.from(Records.RETENTION));
	}

	/**
	 * Brings something about under a key.
	 */
	@FunctionalInterface
	private interface Creation {

		void create(OperationKey key);

	}

}
