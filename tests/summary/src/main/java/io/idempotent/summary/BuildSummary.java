package io.idempotent.summary;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.leftovers.ApplicationStarts;
import io.idempotent.leftovers.RemainingProcesses;

/**
 * Prints how many tests a build ran, which were skipped for which reason, and what took
 * time. Fails if a process that a test started is still running, or if more applications
 * were started than there may be.
 */
public final class BuildSummary {

	/** More reasons than a reader wants to see. */
	private static final int MAX_REASONS = 20;

	private static final int SLOWEST = 10;

	private BuildSummary() {
	}

	/**
	 * Prints the summary of the build that is about to end.
	 * @param arguments the root of the build, when it started, as ISO 8601 has it, and
	 * the name of the figure that the started applications must not exceed
	 * @throws IOException if a report cannot be read
	 */
	public static void main(String[] arguments) throws IOException {
		Path root = Path.of(arguments[0]);
		Instant start = Instant.parse(arguments[1]);
		List<TestReport> reports = reports(root, start);
		print(reports, System.out);
		ApplicationStarts starts = ApplicationStarts.of(root, start);
		printTimes(reports, starts, System.out);
		if (reports.stream().noneMatch(TestReport::ranAgain)) {
			// Otherwise, classes have started their applications again.
			requireAtMost(root.resolve("tests/architecture/figures.properties"), arguments[2], starts.count());
		}
		List<String> processes = RemainingProcesses.of(root, Duration.ofSeconds(30));
		if (!processes.isEmpty()) {
			throw new IllegalStateException("Processes that tests started are still running, each with its module: "
					+ String.join("; ", processes));
		}
	}

	static void print(List<TestReport> reports, PrintStream out) {
		Map<String, Long> skipped = new TreeMap<>(reports.stream()
			.flatMap((report) -> report.skipped().stream())
			.collect(Collectors.groupingBy((reason) -> reason, Collectors.counting())));
		if (!skipped.isEmpty()) {
			out.println("Skipped tests:");
			skipped.entrySet()
				.stream()
				.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
				.limit(MAX_REASONS)
				.forEach((entry) -> out.printf("%5d  %s%n", entry.getValue(), entry.getKey()));
			if (skipped.size() > MAX_REASONS) {
				out.printf("       and %d more reasons, in target/surefire-reports%n", skipped.size() - MAX_REASONS);
			}
		}
		out.printf("%d passed, %d failed, %d skipped%n", reports.stream().mapToInt(TestReport::passed).sum(),
				reports.stream().mapToInt(TestReport::failed).sum(),
				reports.stream().mapToInt((report) -> report.skipped().size()).sum());
	}

	private static void printTimes(List<TestReport> reports, ApplicationStarts starts, PrintStream out) {
		if (reports.isEmpty()) {
			return;
		}
		out.println("Slowest test classes, in seconds:");
		reports.stream()
			.sorted(Comparator.comparing(TestReport::time).reversed())
			.limit(SLOWEST)
			.forEach((report) -> out.printf("%5d  %s%n", report.time().toSeconds(), report.name()));
		out.printf("%d applications were started in %d s, without those of ApplicationContextRunner%n", starts.count(),
				starts.time().toSeconds());
	}

	private static void requireAtMost(Path file, String figure, int started) throws IOException {
		Properties figures = new Properties();
		try (Reader reader = Files.newBufferedReader(file)) {
			figures.load(reader);
		}
		int most = Integer.parseInt(figures.getProperty(figure).strip());
		if (started > most) {
			throw new IllegalStateException(
					"%d applications were started, and %s in %s is %d: let tests share one, or raise the figure in a commit that says why"
						.formatted(started, figure, file, most));
		}
	}

	/**
	 * Reads the reports of this build, and not those that a former one has left.
	 */
	private static List<TestReport> reports(Path root, Instant start) throws IOException {
		PathMatcher reports = root.getFileSystem().getPathMatcher("glob:**/target/surefire-reports/TEST-*.xml");
		try (Stream<Path> files = Files.find(root, 5, (file, attributes) -> reports.matches(file)
				&& !attributes.lastModifiedTime().toInstant().isBefore(start))) {
			return files.map(TestReport::read).toList();
		}
	}

}
