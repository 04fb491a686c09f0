package io.idempotent.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.idempotent.conformance.Result.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The profiles of the starter pass all of their vectors, and the page shows the reports.
 */
class ProfileConformanceTests {

	private static final Path PAGE = Path.of("report.md");

	private static final String HEAD = """
			<!--
			Made from the vectors: do not edit. ProfileConformanceTests fails when this page is stale, and writes it with -Didempotent.write-docs=true.
			-->
			# Conformance of the profiles

			Each profile runs on an application with the in-memory store. Each level links to the document that requires it. [The kit](../../docs/reference/conformance.md)

			""";

	private static final Map<Profile, Report> REPORTS = new EnumMap<>(Profile.class);

	@ParameterizedTest
	@EnumSource
	void aProfilePassesAllOfItsVectors(Profile profile) {
		Report report = report(profile);
		assertThat(report.results()).as(report.toText())
			.isNotEmpty()
			.allSatisfy((result) -> assertThat(result.outcome()).isEqualTo(Outcome.PASSED));
		assertThat(report.conforms()).isTrue();
	}

	@Test
	void thereAreAtLeast60Vectors() {
		Set<String> ids = ConformanceKit.vectors()
			.stream()
			.map(Vector::id)
			.collect(Collectors.toCollection(HashSet::new));
		assertThat(ids).hasSameSizeAs(ConformanceKit.vectors()).hasSizeGreaterThanOrEqualTo(60);
		assertThat(ConformanceKit.vectors()).allMatch((vector) -> !vector.clauses().isEmpty());
	}

	@Test
	void thePageShowsTheReports() throws IOException {
		String expected = HEAD + reports();
		if (Boolean.getBoolean("idempotent.write-docs")) {
			Files.writeString(PAGE, expected);
		}
		assertThat(PAGE).as("report.md of this module, which -Didempotent.write-docs=true writes")
			.content()
			.isEqualTo(expected);
	}

	private static Report report(Profile profile) {
		return REPORTS.computeIfAbsent(profile, ProfileConformanceTests::run);
	}

	private static Report run(Profile profile) {
		// The draft wants refusals to link to documentation, which only the application
		// has.
		String base = (profile == Profile.IETF) ? "https://shop.example.com/problems#" : "urn:idempotent:problem:";
		try (Shop shop = Shop.start("idempotent.web.profile=" + profile.id(), "idempotent.web.problem-base=" + base)) {
			return ConformanceKit.run(profile, shop.target());
		}
	}

	private static String reports() {
		StringBuilder text = new StringBuilder();
		for (Profile profile : Profile.values()) {
			text.append("- ").append(report(profile).summary()).append('\n');
		}
		text.append("\n| vector | what is checked |");
		Arrays.stream(Profile.values()).forEach((profile) -> text.append(" `").append(profile.id()).append("` |"));
		text.append("\n| --- | --- |").append(" --- |".repeat(Profile.values().length)).append('\n');
		ConformanceKit.vectors().forEach((vector) -> text.append(row(vector)));
		return text.toString();
	}

	private static String row(Vector vector) {
		StringBuilder row = new StringBuilder("| `").append(vector.id()).append("` | ").append(vector.sentence());
		for (Profile profile : Profile.values()) {
			row.append(" | ").append(cell(vector, profile));
		}
		return row.append(" |\n").toString();
	}

	private static String cell(Vector vector, Profile profile) {
		return report(profile).results()
			.stream()
			.filter((result) -> result.id().equals(vector.id()))
			.map((result) -> outcome(result) + "[" + result.level() + "](" + link(result) + ")")
			.findFirst()
			.orElse("–");
	}

	private static String link(Result result) {
		return result.link().startsWith("docs/") ? "../../" + result.link() : result.link();
	}

	private static String outcome(Result result) {
		return (result.outcome() == Outcome.PASSED) ? "" : "**" + result.outcome() + "**, ";
	}

}
