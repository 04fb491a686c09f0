package io.idempotent.benchmarks.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.Postgres;
import io.idempotent.benchmarks.server.RedisServer;
import io.idempotent.boot.internal.store.CaffeineOutcomeCache;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.local.LocalIdempotencyStore;

import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

/**
 * An operation is run once, and its duplicates are answered.
 */
public final class ReplayArea implements Area {

	static final Duration RETENTION = Duration.ofMinutes(10);

	static final byte[] ANSWER = answer();

	private static final String RAW = "raw round trips";

	private static final String REDIS = "redis";

	private static final String NEAR = "redis, near cache";

	private static final int[] THREADS = { 1, 16 };

	/** So many operations have been run before duplicates come. */
	private static final int KNOWN = 1000;

	private static final int LOCAL_RECORDS = 10_000_000;

	private static final List<String> COLUMNS = List.of("p50 µs", "p99 µs", "/s");

	private static byte[] answer() {
		byte[] answer = new byte[500];
		Arrays.fill(answer, (byte) '.');
		return answer;
	}

	private static RecordEncryption encryption() {
		BytesEncryptor aes = AesGcmBytesEncryptor.withPassword("a password", "5c0744940b5c369b").build();
		return new RecordEncryption(List.of(new RecordEncryption.Cipher("aes", aes::encrypt, aes::decrypt)));
	}

	@Override
	public String name() {
		return "replay";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		try (RedisServer redis = RedisServer.start();
				Postgres postgres = Postgres.start("io/idempotent/jdbc/store/schema-postgresql.sql",
						"org/springframework/integration/jdbc/schema-postgresql.sql");
				RedisIdempotencyStore store = new RedisIdempotencyStore(redis.connections(), "idem:",
						Duration.ofSeconds(2));
				GatedReplay ours = new GatedReplay(store, OutcomeCache.NONE, RETENTION);
				GatedReplay encrypted = new GatedReplay(store, OutcomeCache.NONE, RETENTION, encryption());
				GatedReplay near = new GatedReplay(store,
						new CaffeineOutcomeCache(16L * 1024 * 1024, Duration.ofMinutes(10)), RETENTION);
				GatedReplay jdbc = new GatedReplay(new JdbcIdempotencyStore(postgres.dataSource()), OutcomeCache.NONE,
						RETENTION);
				AnnotatedMethod annotated = new AnnotatedMethod(redis);
				GatedReplay forgetful = new GatedReplay(new LocalIdempotencyStore(LOCAL_RECORDS), OutcomeCache.NONE,
						Duration.ofSeconds(1));
				GatedReplay local = new GatedReplay(new LocalIdempotencyStore(LOCAL_RECORDS), OutcomeCache.NONE,
						RETENTION)) {
			JdbcMetadataStore table = new JdbcMetadataStore(postgres.dataSource());
			table.afterPropertiesSet();
			Map<String, ReplayWay> ways = new LinkedHashMap<>();
			ways.put(RAW, new RawRoundTrips(redis));
			ways.put(REDIS, ours);
			ways.put("redis, encrypted", encrypted);
			ways.put("jdbc", jdbc);
			// The memory of this JVM would not last for as many as it runs in minutes.
			ways.put("local", forgetful);
			ways.put("`SETNX` and `SET` by hand", new SetIfAbsent(redis));
			ways.put("Spring Integration, Redis",
					new MetadataStoreReceiver(new RedisMetadataStore(redis.connections())));
			ways.put("Spring Integration, JDBC", new MetadataStoreReceiver(table));
			ways.put("pig4cloud's `@Idempotent`", annotated);
			Results first = first(effort, redis, ways);
			ways.put("local", local);
			ways.put(NEAR, near);
			return first.and(duplicates(effort, redis, ways)).and(nearDuplicates(redis, near));
		}
	}

	private static Results first(Effort effort, RedisServer redis, Map<String, ReplayWay> ways) throws Exception {
		List<Table.Row> rows = new ArrayList<>();
		List<Finding> findings = new ArrayList<>();
		for (int threads : THREADS) {
			Map<String, Figures> figures = new Contest(effort, threads)
				.run(contenders(ways, (way, name) -> (stopwatch) -> way.first(name + UUID.randomUUID())));
			rows.addAll(rows(threads, figures));
			findings.add(Finding.atMost("first call with replay, p50 ≤ 1.15 × two raw round trips, threads: " + threads,
					p50(figures, REDIS) / p50(figures, RAW), " ×", 1.15));
			redis.clear();
		}
		return new Results(List.of(new Table("replay-first",
				"The first call, up to an answer of 500 bytes that is kept", COLUMNS, 0, rows)), findings);
	}

	private static Results duplicates(Effort effort, RedisServer redis, Map<String, ReplayWay> ways) throws Exception {
		List<Table.Row> rows = new ArrayList<>();
		int known = effort.either(KNOWN, 10);
		for (Map.Entry<String, ReplayWay> way : ways.entrySet()) {
			for (int i = 0; i < known; i++) {
				way.getValue().first(way.getKey() + i);
			}
		}
		for (int threads : THREADS) {
			rows.addAll(rows(threads, new Contest(effort, threads).run(contenders(ways,
					(way, name) -> (stopwatch) -> way.duplicate(name + ThreadLocalRandom.current().nextInt(known))))));
		}
		redis.clear();
		return new Results(List
			.of(new Table("replay-duplicate", "A duplicate that gets an answer of 500 bytes", COLUMNS, 0, rows)),
				List.of());
	}

	private static Results nearDuplicates(RedisServer redis, ReplayWay near) throws Exception {
		near.first("near");
		Map<String, Long> before = redis.calls();
		for (int i = 0; i < KNOWN; i++) {
			near.duplicate("near");
		}
		Map<String, Long> after = redis.calls();
		double calls = after.values().stream().mapToDouble(Long::doubleValue).sum()
				- before.values().stream().mapToDouble(Long::doubleValue).sum();
		return new Results(List.of(), List.of(Finding
			.atMost("near-cache duplicate without a round trip, commands for " + KNOWN + " of them", calls, "", 0)));
	}

	private static List<Contender> contenders(Map<String, ReplayWay> ways,
			BiFunction<ReplayWay, String, Contender.Task> task) {
		return ways.entrySet()
			.stream()
			.map((way) -> new Contender(way.getKey(), task.apply(way.getValue(), way.getKey())))
			.toList();
	}

	private static List<Table.Row> rows(int threads, Map<String, Figures> figures) {
		return figures.values()
			.stream()
			.map((figure) -> new Table.Row((threads == 1) ? "1 thread" : threads + " threads", figure.contender(),
					List.of(Cell.of(figure.p50()), Cell.of(figure.p99()), Cell.of(figure.throughput()))))
			.toList();
	}

	private static double p50(Map<String, Figures> figures, String contender) {
		return Objects.requireNonNull(figures.get(contender)).p50().median();
	}

}
