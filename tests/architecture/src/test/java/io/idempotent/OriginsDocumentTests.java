package io.idempotent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every test that a page of the documentation names as {@code Class#method} exists, and
 * every row of docs/reference/origins.md names one or says why it has none.
 */
class OriginsDocumentTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern TEST = Pattern.compile("`(\\w+#\\w+)`");

	@Test
	void everyRowNamesATestOrAReason() throws IOException {
		assertThat(rows()).hasSizeGreaterThan(90)
			.allSatisfy((row) -> assertThat(testsOf(row))
				.matches((tests) -> TEST.matcher(tests).find() || tests.startsWith("none: ")));
	}

	@Test
	void everyNamedTestExists() throws IOException {
		Map<String, List<Path>> sources = testSources();
		assertThat(named()).isNotEmpty().allSatisfy((test) -> {
			String[] classAndMethod = test.split("#", 2);
			assertThat(sources.getOrDefault(classAndMethod[0], List.of()))
				.anyMatch((source) -> declares(source, classAndMethod[1]));
		});
	}

	private static List<String> named() throws IOException {
		try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
			return pages.filter((page) -> page.toString().endsWith(".md"))
				.map(OriginsDocumentTests::read)
				.flatMap((page) -> TEST.matcher(page).results())
				.map((test) -> test.group(1))
				.toList();
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

	/** The rows below the head, without those that are the title of a group. */
	private static List<String> rows() throws IOException {
		return Files.readAllLines(ROOT.resolve(Path.of("docs", "reference", "origins.md")))
			.stream()
			.filter((line) -> line.startsWith("| ") && Character.isDigit(line.charAt(2)))
			.toList();
	}

	private static String testsOf(String row) {
		String[] cells = row.split("(?<!\\\\)\\|", -1);
		assertThat(cells).as(row).hasSize(6);
		return cells[4].trim();
	}

	private static Map<String, List<Path>> testSources() throws IOException {
		try (Stream<Path> modules = Stream.of("modules", "extensions", "tests", "sample-order-app")
			.map(ROOT::resolve)) {
			return modules.flatMap(OriginsDocumentTests::javaFiles)
				.collect(Collectors.groupingBy((file) -> file.getFileName().toString().replace(".java", "")));
		}
	}

	private static Stream<Path> javaFiles(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A method, or a rule of the architecture. */
	private static boolean declares(Path source, String test) {
		return Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|ArchTest)\\b[^;{}]*\\b" + test + "(\\(| =)")
			.matcher(read(source).replaceAll("(?s)/\\*\\*.*?\\*/", "").replaceAll("= \\{[^{}]*\\}", "= values"))
			.find();
	}

}
