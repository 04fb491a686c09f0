package io.idempotent.ui.autoconfigure;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A native image contains the files of the page.
 */
class PageHintsTests {

	@Test
	void everyFileOfThePageIsContained() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new OperationsPageConfiguration.Files().registerHints(hints, null);
		PathMatchingResourcePatternResolver classPath = new PathMatchingResourcePatternResolver();
		assertThat(Stream.of("html", "js", "css", "json", "svg")).allSatisfy(
				(extension) -> assertThat(classPath.getResources("classpath*:io/idempotent/ui/**/*." + extension))
					.isNotEmpty()
					.allSatisfy((file) -> {
						String url = file.getURL().toString();
						String path = url.substring(url.lastIndexOf("io/idempotent/ui/"));
						assertThat(RuntimeHintsPredicates.resource().forResource(path)).accepts(hints);
					}));
	}

}
