package io.idempotent;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the project consists of does not grow unnoticed.
 */
class FiguresTests {

	private static final Path FIGURES = Path.of("figures.properties");

	/** Measured at the end of a build: see tests/summary. */
	private static final String STARTED = ".applications";

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|@interface|record|enum) ");

	private static final Pattern PROPERTY = Pattern.compile("(?m)^\\| `(?:idempotent|management)\\.");

	private static final Pattern ARTIFACT = Pattern.compile("[^" + File.pathSeparator + "]+");

	private static final Pattern WORD = Pattern.compile("\\S+");

	@Test
	void noFigureRises() throws IOException {
		Map<String, Long> allowed = allowed();
		assertThat(measured()).allSatisfy((name, figure) -> assertThat(figure)
			.as("%s: take out as much as you add, or raise the figure in tests/architecture/%s in a commit that says why",
					name, FIGURES)
			.isLessThanOrEqualTo(allowed.getOrDefault(name, 0L)));
	}

	@Test
	void aFigureThatHasFallenIsToldToBeLowered() throws IOException {
		Map<String, Long> measured = measured();
		allowed().forEach((name, allowed) -> {
			Long figure = measured.get(name);
			assertThat(figure).as("%s, which is not measured: remove it", name).isNotNull();
			if (figure < allowed * 0.98) {
				System.out.printf("%s has fallen to %d: lower it in %s%n", name, figure, FIGURES);
			}
		});
	}

	private static Map<String, Long> allowed() throws IOException {
		Properties figures = new Properties();
		try (Reader file = Files.newBufferedReader(FIGURES)) {
			figures.load(file);
		}
		return figures.stringPropertyNames()
			.stream()
			.filter((name) -> !name.endsWith(STARTED))
			.collect(Collectors.toMap((name) -> name, (name) -> Long.valueOf(figures.getProperty(name).strip())));
	}

	private static Map<String, Long> measured() {
		Map<String, Long> figures = new TreeMap<>();
		List<String> modules = sources("modules");
		figures.put("modules.lines", lines(modules));
		for (String extension : TestSources.ROOT.resolve("extensions")
			.toFile()
			.list((parent, name) -> !name.contains("."))) {
			figures.put("extensions." + extension + ".lines", lines(sources("extensions/" + extension)));
		}
		figures.put("public-types", publicTypes(modules) + publicTypes(sources("extensions")));
		figures.put("properties", count(PROPERTY, TestSources.page("properties.md")));
		figures.put("documents.words", TestSources.pages().mapToLong((text) -> count(WORD, text)).sum());
		figures.put("readme.words", count(WORD, TestSources.read(TestSources.ROOT.resolve("README.md"))));
		figures.put("starter.artifacts", count(ARTIFACT,
				TestSources.read(TestSources.ROOT.resolve("idempotent-spring-boot-starter/target/class-path"))));
		return figures;
	}

	private static long lines(List<String> sources) {
		return sources.stream().flatMap(String::lines).count();
	}

	/** Those of internal packages are for the library alone. */
	private static long publicTypes(List<String> sources) {
		return sources.stream()
			.filter((source) -> !source.substring(0, source.indexOf(';')).contains(".internal"))
			.filter((source) -> PUBLIC_TYPE.matcher(source).find())
			.count();
	}

	private static long count(Pattern pattern, String text) {
		return pattern.matcher(text).results().count();
	}

	/** Those of tests do not count. */
	private static List<String> sources(String directory) {
		return TestSources.files(directory, ".java")
			.filter((file) -> !file.toString().matches(".*/(src/test.*|target)/.*"))
			.map(TestSources::read)
			.toList();
	}

}
