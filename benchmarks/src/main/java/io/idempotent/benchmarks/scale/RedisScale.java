package io.idempotent.benchmarks.scale;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;
import io.idempotent.benchmarks.records.RedisTalk;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;

/**
 * One Redis for each size. Beside what the client sees stands what the server says that
 * it spent on a script: a claim or a completion.
 */
final class RedisScale implements SizeContest.Reading, AutoCloseable {

	private final Map<Long, RedisStore> servers = new HashMap<>();

	private final List<Filled> stores = new ArrayList<>();

	private RedisScale(List<Long> sizes) throws IOException {
		for (long size : sizes) {
			RedisStore redis = new RedisStore();
			Filled filled = new Filled(size, redis.records(), Records.RETENTION, redis::forget);
			this.servers.put(size, redis);
			this.stores.add(filled);
			RedisFiller.fill(redis, size);
		}
	}

	static Results measure(Effort effort, List<Long> sizes) throws Exception {
		try (RedisScale scale = new RedisScale(sizes)) {
			return new SizeContest(effort, scale.stores, scale).run("scale-redis", "Redis");
		}
	}

	@Override
	public String column() {
		return "server, µs per script";
	}

	@Override
	public void begin(Filled store) throws IOException {
		RedisTalk.tell(redis(store).server(), "CONFIG RESETSTAT");
	}

	@Override
	public Cell end(Filled store, Figures figures) throws IOException {
		RedisStore redis = redis(store);
		double scripts = RedisTalk.number(redis.server(), "INFO commandstats", "^cmdstat_evalsha:calls=");
		double micros = RedisTalk.number(redis.server(), "INFO commandstats", "^cmdstat_evalsha:.*,usec=");
		return (scripts > 0) ? Cell.of(Spread.exactly(micros / scripts)) : Cell.NONE;
	}

	/** Whatever makes it slower in a large Redis makes everything slower. */
	@Override
	public Optional<Contender> limit(Filled store) {
		RedisStore redis = redis(store);
		return Optional.of(new Contender(store.name(), (stopwatch) -> {
			byte[] key = name(ThreadLocalRandom.current().nextLong(store.size()));
			stopwatch.start();
			byte[] record = redis.connection().stringCommands().get(key);
			stopwatch.stop();
			if (record == null) {
				throw new IllegalStateException("A record is missing");
			}
		}));
	}

	private static byte[] name(long number) {
		return RedisStore.name(Records.key(number)).getBytes(StandardCharsets.US_ASCII);
	}

	private RedisStore redis(Filled store) {
		return Objects.requireNonNull(this.servers.get(store.size()));
	}

	@Override
	public void close() {
		this.servers.values().forEach(RedisStore::close);
	}

}
