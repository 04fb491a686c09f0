package io.idempotent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list items and table rows of the pages that promise something stand in
 * tests/architecture/promises.md, each with tests that exist, or the reason why there is
 * none.
 */
class PromisesDocumentTests {

	private static final int LENGTH = 50;

	private static final List<Page> PAGES = List.of(new Page("guarantees"),
			new Page("http", "What a submission gets", "When an operation is completed", "What it does not do"),
			new Page("locks", "When the lock is not obtained", "When a lock is lost", "Limits"),
			new Page("steps", "What happens if the process dies", "Rules", "Limits"));

	private static final String DOCUMENT = TestSources.read(Path.of("promises.md"));

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!promise \\||---)(.*?) \\|(.*)\\|$");

	private static final Pattern TEST = Pattern.compile("`(\\w+\\.\\w+)`");

	@Test
	void theTablesListEachPromise() {
		Map<String, String> tests = rows().collect(Collectors.toMap((row) -> row.group(1), (row) -> row.group(2)));
		String tables = PAGES.stream().map((page) -> page.table(tests)).collect(Collectors.joining("\n"));
		assertThat(DOCUMENT.endsWith("\n\n" + tables))
			.as("The tables of tests/architecture/promises.md are:\n\n%s", tables)
			.isTrue();
	}

	@Test
	void eachRowHasTestsOrAReason() {
		assertThat(rows().map(MatchResult::group)
			.filter((
					row) -> !row.matches("\\| [^|]+ \\| ((`\\w+\\.\\w+`(, (?=`)| (?=\\|))){1,3}|– [A-Z][^|]*\\. )\\|")))
			.isEmpty();
	}

	@Test
	void eachTestExists() {
		assertThat(new TestSources()
			.missing(rows().flatMap((row) -> TEST.matcher(row.group(2)).results()).map((test) -> test.group(1))))
			.isEmpty();
	}

	private static Stream<MatchResult> rows() {
		return ROW.matcher(DOCUMENT).results();
	}

	/** Without sections, the whole page promises something. */
	private record Page(String name, List<String> sections) {

		Page(String name, String... sections) {
			this(name, List.of(sections));
		}

		/** With the tests that are known for each promise. */
		String table(Map<String, String> tests) {
			return promises().map((promise) -> "| " + promise + " |" + tests.getOrDefault(promise, " ") + "|\n")
				.collect(Collectors.joining("", "## [" + this.name + ".md](../../docs/" + this.name
						+ ".md)\n\n| promise | tests |\n| --- | --- |\n", ""));
		}

		/** What its list items and table rows begin with. */
		private Stream<String> promises() {
			return Pattern.compile("(?m)^## ")
				.splitAsStream(TestSources.page(this.name + ".md"))
				.filter((section) -> this.sections.isEmpty()
						|| this.sections.contains(section.lines().findFirst().orElseThrow()))
				.map((section) -> section.replaceAll("(?m)^\\|.*\n\\| -.*$", "").replaceAll("\n {2,3}(?=\\S)", " "))
				.flatMap(String::lines)
				.filter((line) -> line.matches("(- |\\d+\\. |\\| ).*"))
				.map(Page::beginning);
		}

		private static String beginning(String line) {
			String text = line.replaceAll("^(- |\\d+\\. |\\| )| \\|$", "")
				.replace(" | ", " · ")
				.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
				.replaceAll("[`*]", "");
			return (text.length() <= LENGTH) ? text : text.substring(0, text.lastIndexOf(' ', LENGTH)) + " …";
		}

	}

}
