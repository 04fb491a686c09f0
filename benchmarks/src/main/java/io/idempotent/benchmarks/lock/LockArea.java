package io.idempotent.benchmarks.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.benchmarks.Area;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.report.Results;

/**
 * What locks cost.
 */
public final class LockArea implements Area {

	/** More contests than elsewhere, so shorter turns. */
	private static final Effort MEASURED = new Effort(true, 5, Duration.ofMillis(500));

	@Override
	public String name() {
		return "lock";
	}

	@Override
	public Results measure(Effort effort) throws Exception {
		Effort own = effort.full() ? MEASURED : effort;
		Results results = new Results(List.of(), List.of());
		CrowdTable crowds = new CrowdTable(own);
		WaitersTable waiters = new WaitersTable(own);
		for (Kind kind : Kind.values()) {
			Path directory = Files.createTempDirectory("tallies");
			try (Server server = kind.start(); Rivals rivals = kind.connect(server.address())) {
				LockContests contests = new LockContests(own, rivals.contenders(), directory);
				Scores scores = scores(own, kind, server, contests, directory);
				results = results.and(scores.asResults());
				crowds.measure(kind, contests.patient());
				if (kind == Kind.REDIS || kind == Kind.LOCAL) {
					waiters.measure(kind, contests.contenders().subList(0, (kind == Kind.LOCAL) ? 2 : 1));
				}
			}
			finally {
				delete(directory);
			}
		}
		return results.and(new Results(
				Stream.of(crowds.asTable(), waiters.asTable()).filter((table) -> !table.rows().isEmpty()).toList(),
				List.of()));
	}

	private static Scores scores(Effort effort, Kind kind, Server server, LockContests contests, Path directory)
			throws Exception {
		Scores scores = new Scores(kind, contests.contenders());
		scores.free("free, 1 thread", contests.free(1));
		scores.free("free, 16 threads, a lock each", contests.free(effort.either(16, 2)));
		for (int threads : effort.full() ? new int[] { 2, 8, 64 } : new int[] { 2 }) {
			scores.contended("one lock, " + threads + " threads", contests.contended(threads));
		}
		if (kind != Kind.LOCAL && (effort.full() || kind == Kind.REDIS)) {
			try (OtherJvm other = new OtherJvm(kind, server.address(), directory)) {
				scores.across("one lock, 2 JVMs, 8 threads each", contests.across(other));
			}
		}
		return scores;
	}

	private static void delete(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
	}

}
