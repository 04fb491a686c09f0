package io.idempotent.programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The smallest programs of which something has come that is not promised, each of which
 * has failed once, and those at the borders of transactions ({@code B…}). Most files
 * begin with a description.
 */
class DirectedProgramTests {

	private static Worlds worlds;

	@BeforeAll
	static void start() {
		worlds = new Worlds(Databases::h2);
	}

	@AfterAll
	static void stop() {
		worlds.close();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("programs")
	void endsAsDocumented(String name, String text) {
		assertThat(worlds.run(ProgramReader.read(text))).as(text).isEmpty();
	}

	static Stream<Object[]> programs() throws IOException {
		Resource[] found = new PathMatchingResourcePatternResolver().getResources("classpath:/programs/*.txt");
		assertThat(found).isNotEmpty();
		return Arrays.stream(found)
			.map((each) -> new Object[] { each.getFilename(),
					Unchecked.call(() -> each.getContentAsString(StandardCharsets.UTF_8)) });
	}

}
