package io.idempotent.guest;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that gets a starter, and uses nothing of it yet, has what it had, and
 * answers as it did. There is no server of any kind.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class GuestTests {

	private static final Start CHANGED = new Start(Kind.all().get(0), List.of(),
			List.of("--spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE"));

	private Starts starts;

	@BeforeAll
	void start(@TempDir Path directory) throws Exception {
		Stream<Start> all = Kind.all()
			.stream()
			.flatMap((kind) -> Stream.concat(Stream.of(Start.without(kind)),
					Starter.of(kind).stream().map((starter) -> Start.with(kind, starter))));
		this.starts = new Starts(directory, Stream.concat(all, Stream.of(CHANGED)).toList());
	}

	@AfterAll
	void stop() {
		this.starts.close();
	}

	@ParameterizedTest
	@MethodSource("io.idempotent.guest.Kind#all")
	void startersChangeOnlyWhatIsAllowed(Kind kind) throws Exception {
		Set<String> before = this.starts.linesOf(Start.without(kind));
		for (Starter starter : Starter.of(kind)) {
			Set<String> after = this.starts.linesOf(Start.with(kind, starter));
			assertThat(minus(before, after).stream().filter((line) -> !Change.mayGo(line))).as("went with " + starter)
				.isEmpty();
			assertThat(minus(after, before).stream().filter((line) -> !Change.mayCome(line, starter)))
				.as("came with " + starter)
				.isEmpty();
			assertThat(after).filteredOn((line) -> line.startsWith("response GET /token application/json: 200"))
				.as("what the page \"Forms\" documents")
				.allMatch((line) -> line.contains("{random\",\"header\":\"Idempotent-Token\",\"expiresIn\":600}"))
				.hasSize(kind.hasUsers() ? 0 : 1);
		}
	}

	@Test
	void aChangeIsNoticed() throws Exception {
		Set<String> before = this.starts.linesOf(Start.without(CHANGED.kind()));
		Set<String> after = this.starts.linesOf(CHANGED);
		assertThat(minus(before, after)).anyMatch((line) -> line.startsWith("response POST /echo"))
			.noneMatch(Change::mayGo);
		assertThat(minus(after, before)).anyMatch((line) -> line.startsWith("response POST /echo"))
			.noneMatch((line) -> Change.mayCome(line, Starter.DEFAULT));
	}

	private static Set<String> minus(Set<String> some, Set<String> others) {
		return some.stream()
			.filter((line) -> !others.contains(line))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

}
