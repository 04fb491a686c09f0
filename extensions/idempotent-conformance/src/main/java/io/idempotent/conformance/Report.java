package io.idempotent.conformance;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.idempotent.conformance.Result.Outcome;

/**
 * The results of all vectors of a profile.
 */
public record Report(Profile profile, List<Result> results) {

	public Report {
		results = List.copyOf(results);
	}

	/**
	 * Whether the target conforms: no vector failed that the profile requires. The
	 * promises of idempotent-spring-boot-starter are required by its own profile only.
	 */
	public boolean conforms() {
		return this.results.stream()
			.noneMatch((result) -> result.outcome() == Outcome.FAILED && (result.level() == Level.MUST
					|| (result.level() == Level.PROMISE && this.profile == Profile.IDEMPOTENT)));
	}

	/** The results of one outcome, in the order of the vectors. */
	public List<Result> of(Outcome outcome) {
		return this.results.stream().filter((result) -> result.outcome() == outcome).toList();
	}

	/** One sentence with the numbers. */
	public String summary() {
		return "Profile " + this.profile.id() + ": " + this.results.size() + " vectors, " + of(Outcome.PASSED).size()
				+ " passed, " + of(Outcome.FAILED).size() + " failed, " + of(Outcome.NOT_RUN).size() + " not run.";
	}

	/** The report for a terminal: lines with aligned columns. */
	public String toText() {
		int width = this.results.stream().mapToInt((result) -> result.id().length()).max().orElse(0);
		String format = "%-8s %-7s %-" + Math.max(width, 1) + "s  %s%n";
		return this.results.stream()
			.map((result) -> String.format(format, text(result.outcome()), result.level(), result.id(),
					explain(result)))
			.collect(Collectors.joining()) + summary() + System.lineSeparator();
	}

	private static String explain(Result result) {
		return result.sentence() + " (" + result.source() + ")"
				+ (result.detail().isEmpty() ? "" : System.lineSeparator() + " ".repeat(17) + result.detail());
	}

	private static String text(Outcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
