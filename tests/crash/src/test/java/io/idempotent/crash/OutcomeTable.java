package io.idempotent.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Outcomes by point and treatment, as the published page shows them and as a sweep has
 * found them.
 */
final class OutcomeTable {

	private static final Path PAGE = Path.of("README.md");

	private OutcomeTable() {
	}

	/**
	 * A table of the page.
	 * @param section the heading above the heading above it
	 * @param heading the heading above it
	 * @return its rows, one to a line
	 */
	static String published(String section, String heading) throws IOException {
		return Files.readAllLines(PAGE)
			.stream()
			.dropWhile((line) -> !line.equals("## " + section))
			.dropWhile((line) -> !line.equals("### " + heading))
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.skip(2)
			.collect(Collectors.joining("\n"));
	}

	/**
	 * The table that was found. A cell with several outcomes shows all of them.
	 * @param observations what a sweep has found
	 * @return its rows, one to a line
	 */
	static String found(Collection<Observation> observations) {
		return Arrays.stream(CrashPoint.values())
			.map((point) -> Stream
				.concat(Stream.of(point.label()),
						Arrays.stream(Treatment.values()).map((treatment) -> cell(observations, point, treatment)))
				.collect(Collectors.joining(" | ", "| ", " |")))
			.collect(Collectors.joining("\n"));
	}

	private static String cell(Collection<Observation> observations, CrashPoint point, Treatment treatment) {
		String found = observations.stream()
			.filter((observation) -> observation.trial().point() == point)
			.filter((observation) -> observation.trial().treatment() == treatment)
			.map(Observation::outcome)
			.distinct()
			.sorted()
			.collect(Collectors.joining(" OR "));
		return found.isEmpty() ? "–" : found;
	}

}
