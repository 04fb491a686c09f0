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
 * An extension can be deleted: no module is built with one.
 */
class ExtensionsTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");

	private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");

	@Test
	void noModuleIsBuiltWithAnExtension() throws IOException {
		Set<String> extensions = directories("extensions").map((directory) -> directory.getFileName().toString())
			.collect(Collectors.toSet());
		assertThat(extensions).hasSizeGreaterThan(5);
		assertThat(directories("modules").filter((module) -> !module.endsWith("idempotent-bom"))).isNotEmpty()
			.allSatisfy((module) -> assertThat(builtWith(module)).as("%s", module)
				.isNotEmpty()
				.doesNotContainAnyElementsOf(extensions));
	}

	private static Stream<Path> directories(String parent) throws IOException {
		try (Stream<Path> children = Files.list(ROOT.resolve(parent))) {
			return children.filter((child) -> Files.exists(child.resolve("pom.xml"))).toList().stream();
		}
	}

	private static List<String> builtWith(Path module) throws IOException {
		return DEPENDENCY.matcher(Files.readString(module.resolve("pom.xml")))
			.results()
			.map((dependency) -> dependency.group(1))
			.filter((dependency) -> !dependency.contains("<scope>test</scope>"))
			.flatMap((dependency) -> ARTIFACT.matcher(dependency).results().limit(1))
			.map((artifact) -> artifact.group(1))
			.toList();
	}

}
