package io.idempotent;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tests that tests/architecture/reports.md names exist.
 */
class ReportsDocumentTests {

	private static final Pattern TEST = Pattern.compile("`(\\w+(Tests|Contract)(\\.\\w+)?)`");

	@Test
	void eachTestExists() {
		List<String> named = TEST.matcher(TestSources.read(Path.of("reports.md")))
			.results()
			.map((test) -> test.group(1))
			.toList();
		assertThat(named).hasSizeGreaterThan(40);
		assertThat(new TestSources().missing(named.stream())).isEmpty();
	}

}
