package io.idempotent.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.idempotent.benchmarks.lock.LockContender.Role;
import io.idempotent.benchmarks.lock.OtherJvm.Shares;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Finding;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;

/**
 * What came of the contests on one kind of server.
 */
final class Scores {

	/** Of threads in one JVM, or of two JVMs. */
	private static final String FAIRNESS = "least served, % of an equal share";

	private static final List<String> COLUMNS = List.of("p50, µs", "p99, µs", "locks per second", FAIRNESS);

	private static final int THROUGHPUT = 2;

	private static final double CLOSE = 1.1;

	private static final double TWICE = 2;

	/** For each of two JVMs 30 % of all locks. */
	private static final double SHARE = 60;

	private static final double LOCKS_PER_SECOND = 3000;

	private final Kind kind;

	private final List<LockContender> contenders;

	private final List<Table.Row> rows = new ArrayList<>();

	private final List<Finding> findings = new ArrayList<>();

	Scores(Kind kind, List<LockContender> contenders) {
		this.kind = kind;
		this.contenders = contenders;
	}

	void free(String condition, Map<String, Figures> figures) {
		addRows(condition, figures, (figure) -> Cell.NONE);
		Figures ours = of(figures, ours());
		LockContender raw = this.contenders.stream()
			.filter((contender) -> contender.is(Role.RAW))
			.findFirst()
			.orElse(null);
		if (raw != null) {
			this.findings.add(Finding.atMost(goal(condition, "p50 at most 1.1 × that of " + raw.name()),
					ours.p50().median() / of(figures, raw).p50().median(), " ×", CLOSE));
		}
		if (this.kind == Kind.JDBC) {
			this.findings.add(twice(condition, ours.throughput(), of(figures, peer()).throughput()));
		}
	}

	void contended(String condition, Map<String, Figures> figures) {
		addRows(condition, figures, (figure) -> Cell.of(figure.fairness()));
		figures.values()
			.stream()
			.filter((figure) -> isRival(figure.contender()))
			.forEach((figure) -> compare(condition, of(figures, ours()).throughput(), figure.contender(),
					figure.throughput()));
	}

	void across(String condition, Map<String, List<Shares>> shares) {
		shares.forEach((name, rounds) -> this.rows.add(new Table.Row(condition, name,
				List.of(Cell.NONE, Cell.NONE, Cell.of(throughput(rounds)), Cell.of(fairness(rounds))))));
		Spread ours = throughput(of(shares, ours()));
		if (this.kind == Kind.JDBC) {
			this.findings.add(Finding.atLeast(goal(condition, "least served, at least 60 % of an equal share"),
					fairness(of(shares, ours())).median(), "%", SHARE));
			this.findings.add(Finding.atLeast(goal(condition, "at least 3,000 locks a second"), ours.median(), "",
					LOCKS_PER_SECOND));
		}
		shares.forEach((name, rounds) -> {
			if (isRival(name)) {
				compare(condition, ours, name, throughput(rounds));
			}
		});
	}

	Results asResults() {
		return new Results(List.of(new Table("lock-" + this.kind.name().toLowerCase(Locale.ROOT),
				"Lock and unlock, " + this.kind.title(), COLUMNS, THROUGHPUT, this.rows)), this.findings);
	}

	private void addRows(String condition, Map<String, Figures> figures, Function<Figures, Cell> fairness) {
		figures.forEach((name, figure) -> this.rows.add(new Table.Row(condition, name, List.of(Cell.of(figure.p50()),
				Cell.of(figure.p99()), Cell.of(figure.throughput()), fairness.apply(figure)))));
	}

	private void compare(String condition, Spread ours, String rival, Spread theirs) {
		if (this.kind == Kind.JDBC) {
			this.findings.add(twice(condition, ours, theirs));
			return;
		}
		this.findings.add(Finding.atLeast(goal(condition, "throughput at least that of " + rival),
				ours.median() / theirs.median(), " ×", 1));
	}

	private Finding twice(String condition, Spread ours, Spread theirs) {
		return Finding.atLeast(goal(condition, "throughput at least 2 × that of " + peer().name()),
				ours.median() / theirs.median(), " ×", TWICE);
	}

	private String goal(String condition, String goal) {
		return "Lock in " + this.kind.title() + ", " + condition + ": " + goal;
	}

	private static <T> T of(Map<String, T> found, LockContender contender) {
		return Objects.requireNonNull(found.get(contender.name()), contender.name());
	}

	private static Spread fairness(List<Shares> rounds) {
		return Spread.of(rounds.stream().mapToDouble(Shares::fairness).toArray());
	}

	private static Spread throughput(List<Shares> rounds) {
		return Spread.of(rounds.stream().mapToDouble(Shares::both).toArray());
	}

	private boolean isRival(String name) {
		return this.contenders.stream()
			.anyMatch((contender) -> contender.name().equals(name) && contender.role().isRival());
	}

	private LockContender ours() {
		return contender(Role.OURS);
	}

	private LockContender peer() {
		return contender(Role.PEER);
	}

	private LockContender contender(Role role) {
		return this.contenders.stream().filter((contender) -> contender.is(role)).findFirst().orElseThrow();
	}

}
