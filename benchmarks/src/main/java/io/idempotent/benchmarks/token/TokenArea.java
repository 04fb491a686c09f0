package io.idempotent.benchmarks.token;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.benchmarks.server.RedisServer;

/**
 * A token is handed out, and taken back once.
 */
public final class TokenArea implements Area {

	static final Duration LIFE = Duration.ofMinutes(10);

	private static final String RAW = "raw SET and GETDEL";

	private static final String STORED = "stored tokens";

	private static final String SIGNED = "signed tokens";

	private static final String LOCKED = "Redisson lock, get, delete, unlock";

	private static final int[] THREADS = { 1, 16, 64 };

	private static final int COMPARED = 16;

	@Override
	public String name() {
		return "token";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		List<Table.Row> checks = new ArrayList<>();
		List<Table.Row> issues = new ArrayList<>();
		List<Finding> findings = new ArrayList<>();
		try (RedisServer redis = RedisServer.start();
				BurntToken stored = BurntToken.stored(redis);
				BurntToken signed = BurntToken.signed(redis);
				LockedGetDelete locked = new LockedGetDelete(redis)) {
			TokenWay raw = new RawGetDel(redis);
			for (int threads : THREADS) {
				Map<String, Figures> figures = new Contest(effort, threads).run(List.of(checking(RAW, raw),
						checking(STORED, stored), checking(SIGNED, signed), checking(LOCKED, locked)));
				figures.values().forEach((figure) -> checks.add(row(threads, figure)));
				findings.addAll(findings(threads, figures));
				redis.clear();
				new Contest(effort, threads).run(List.of(issuing(RAW, raw), issuing(STORED, stored)))
					.values()
					.forEach((figure) -> issues.add(row(threads, figure)));
				redis.clear();
			}
		}
		return new Results(List.of(
				new Table("token-check", "The first submission with a form token",
						List.of("p50 of the check, µs", "p99 of the check, µs", "issued and checked /s"), 0, checks),
				new Table("token-issue", "The issue of a form token", List.of("p50 µs", "p99 µs", "issued /s"), 0,
						issues)),
				findings);
	}

	private static Contender checking(String name, TokenWay way) {
		return new Contender(name, (stopwatch) -> {
			String token = way.issue();
			stopwatch.start();
			way.check(token);
			stopwatch.stop();
		});
	}

	private static Contender issuing(String name, TokenWay way) {
		return new Contender(name, (stopwatch) -> way.issue());
	}

	private static Table.Row row(int threads, Figures figures) {
		return new Table.Row((threads == 1) ? "1 thread" : threads + " threads", figures.contender(),
				List.of(Cell.of(figures.p50()), Cell.of(figures.p99()), Cell.of(figures.throughput())));
	}

	private static List<Finding> findings(int threads, Map<String, Figures> figures) {
		List<Finding> findings = new ArrayList<>();
		findings.add(Finding.atMost("token check, p50 ≤ 1.15 × raw `GETDEL`, threads: " + threads,
				p50(figures, STORED) / p50(figures, RAW), " ×", 1.15));
		if (threads == COMPARED) {
			findings
				.add(Finding.atLeast("token check, p50 of lock, get, delete, unlock ≥ 5 × ours, threads: " + threads,
						p50(figures, LOCKED) / p50(figures, STORED), " ×", 5));
			findings.add(Finding.atLeast(
					"token check, throughput ≥ 4 × that of lock, get, delete, unlock, threads: " + threads,
					throughput(figures, STORED) / throughput(figures, LOCKED), " ×", 4));
		}
		return findings;
	}

	private static double p50(Map<String, Figures> figures, String contender) {
		return Objects.requireNonNull(figures.get(contender)).p50().median();
	}

	private static double throughput(Map<String, Figures> figures, String contender) {
		return Objects.requireNonNull(figures.get(contender)).throughput().median();
	}

}
