package io.idempotent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An extension can be deleted: no module is built with one, or names one.
 */
class ExtensionsTests {

	private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");

	private static final Pattern PROPERTIES = Pattern.compile("@ConfigurationProperties\\(\"(idempotent\\..+?)\"");

	private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");

	@Test
	void noModuleIsBuiltWithAnExtension() throws IOException {
		Set<String> extensions = directories("extensions").map((directory) -> directory.getFileName().toString())
			.collect(Collectors.toSet());
		assertThat(extensions).hasSizeGreaterThan(5);
		assertThat(modules()).isNotEmpty()
			.allSatisfy((module) -> assertThat(builtWith(module)).as("%s", module)
				.isNotEmpty()
				.doesNotContainAnyElementsOf(extensions));
	}

	@Test
	void noModuleNamesAnExtension() throws IOException {
		Pattern names = Pattern.compile(directories("extensions").flatMap(ExtensionsTests::names)
			.map(Pattern::quote)
			.collect(Collectors.joining("|", "(?<![\\w-])(", ")(?![\\w-])")));
		List<Path> sources = modules().flatMap(ExtensionsTests::sources).toList();
		assertThat(sources).isNotEmpty();
		assertThat(sources.stream()
			.flatMap((file) -> names.matcher(TestSources.read(file))
				.results()
				.map((name) -> file + " names " + name.group())))
			.isEmpty();
	}

	@Test
	void anExtensionListsItsGroupsOfProperties() throws IOException {
		assertThat(directories("extensions")).allSatisfy((extension) -> {
			List<String> groups = groups(extension).toList();
			assertThat(sources(extension).filter((file) -> file.endsWith("io.idempotent.boot.StrictBinding.imports"))
				.flatMap((file) -> TestSources.read(file).lines())).as("%s", extension)
				.containsExactlyInAnyOrderElementsOf(groups);
		});
	}

	/** Those of its properties. */
	private static Stream<String> groups(Path extension) {
		return sources(extension).filter((file) -> file.toString().endsWith(".java"))
			.flatMap((file) -> PROPERTIES.matcher(TestSources.read(file)).results())
			.map((annotation) -> annotation.group(1));
	}

	/** Artifact, groups of properties, and packages, also as in a path. */
	private static Stream<String> names(Path extension) {
		Path java = extension.resolve("src/main/java");
		Stream<String> packages = sources(extension).filter((file) -> file.startsWith(java))
			.map((file) -> java.relativize(file.getParent()).toString())
			.distinct()
			.flatMap((path) -> Stream.of(path, path.replace('/', '.')));
		return Stream.concat(Stream.concat(Stream.of(extension.getFileName().toString()), groups(extension)), packages);
	}

	private static Stream<Path> sources(Path module) {
		return TestSources.files(TestSources.ROOT.relativize(module) + "/src/main", "").filter(Files::isRegularFile);
	}

	/** All but the BOM, which lists extensions and has no sources. */
	private static Stream<Path> modules() throws IOException {
		return directories("modules").filter((module) -> !module.endsWith("idempotent-bom"));
	}

	private static Stream<Path> directories(String parent) throws IOException {
		try (Stream<Path> children = Files.list(TestSources.ROOT.resolve(parent))) {
			return children.filter((child) -> Files.exists(child.resolve("pom.xml"))).toList().stream();
		}
	}

	private static List<String> builtWith(Path module) {
		return DEPENDENCY.matcher(TestSources.read(module.resolve("pom.xml")))
			.results()
			.map((dependency) -> dependency.group(1))
			.filter((dependency) -> !dependency.contains("<scope>test</scope>"))
			.flatMap((dependency) -> ARTIFACT.matcher(dependency).results().limit(1))
			.map((artifact) -> artifact.group(1))
			.toList();
	}

}
