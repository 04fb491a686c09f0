package io.idempotent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tests that docs/reference/reports.md names exist.
 */
class ReportsDocumentTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests|Contract))(\\.\\w+)?`");

	@Test
	void eachTestExists() throws IOException {
		Map<String, String> classes = Stream.of("modules", "extensions", "tests")
			.flatMap(ReportsDocumentTests::tests)
			.collect(Collectors.toMap((file) -> file.getFileName().toString().replace(".java", ""),
					ReportsDocumentTests::read, String::concat));
		assertThat(TEST.matcher(read(ROOT.resolve("docs/reference/reports.md"))).results()).hasSizeGreaterThan(40)
			.allSatisfy((test) -> {
				String method = (test.group(2) != null) ? "void " + test.group(2).substring(1) + "(" : "class ";
				assertThat(classes.get(test.group(1))).as(test.group()).isNotNull().contains(method);
			});
	}

	private static Stream<Path> tests(String directory) {
		try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
			return files.filter((file) -> file.toString().matches(".*/src/.*(Tests|Contract)\\.java"))
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
