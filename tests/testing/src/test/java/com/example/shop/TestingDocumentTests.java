package com.example.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java of docs/testing.md is that of the tests.
 */
class TestingDocumentTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

	@Test
	void everyExampleIsATest() throws IOException {
		List<String> tests = sources("tests/testing/src/test/java/com/example/shop").toList();
		List<String> examples = JAVA.matcher(Files.readString(ROOT.resolve("docs/testing.md")))
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(examples).isNotEmpty()
			.allSatisfy((example) -> assertThat(tests).anyMatch((test) -> test.contains(example)));
	}

	private static Stream<String> sources(String directory) throws IOException {
		try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
			return files.filter(Files::isRegularFile).map(TestingDocumentTests::read).toList().stream();
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
