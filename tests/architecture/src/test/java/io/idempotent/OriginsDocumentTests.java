package io.idempotent;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every test that a page of the documentation names as {@code Class#method} exists, and
 * every row of tests/architecture/origins.md names one or says why it has none.
 */
class OriginsDocumentTests {

	private static final String ORIGINS = TestSources.read(Path.of("origins.md"));

	private static final Pattern TEST = Pattern.compile("`(\\w+#\\w+)`");

	@Test
	void everyRowNamesATestOrAReason() {
		assertThat(rows()).hasSizeGreaterThan(90)
			.allSatisfy((row) -> assertThat(testsOf(row))
				.matches((tests) -> TEST.matcher(tests).find() || tests.startsWith("none: ")));
	}

	@Test
	void everyNamedTestExists() {
		Stream<String> named = Stream.concat(Stream.of(ORIGINS), TestSources.pages())
			.flatMap((page) -> TEST.matcher(page).results())
			.map((test) -> test.group(1));
		assertThat(new TestSources().missing(named)).isEmpty();
	}

	/** The rows below the head, without those that are the title of a group. */
	private static List<String> rows() {
		return ORIGINS.lines().filter((line) -> line.startsWith("| ") && !line.startsWith("| **")).skip(2).toList();
	}

	private static String testsOf(String row) {
		String[] cells = row.split("(?<!\\\\)\\|", -1);
		assertThat(cells).as(row).hasSize(5);
		return cells[3].trim();
	}

}
