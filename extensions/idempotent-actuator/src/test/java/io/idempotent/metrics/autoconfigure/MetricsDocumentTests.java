package io.idempotent.metrics.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.idempotent.Refusal;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.observation.LockObservationDocumentation;
import io.idempotent.observation.SubmissionObservationDocumentation;
import io.idempotent.submission.SubmissionOutcome;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import io.micrometer.observation.docs.ObservationDocumentation;
import org.junit.jupiter.api.Test;

import org.springframework.beans.BeanUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of all metrics is made from the enums that document them, and is stale when it
 * differs.
 */
class MetricsDocumentTests {

	/** The enums that document observations, in the order of the page. */
	private static final List<Class<? extends ObservationDocumentation>> OBSERVATIONS = List
		.of(SubmissionObservationDocumentation.class, LockObservationDocumentation.class);

	private static final Path PAGE = Path.of("..", "..", "docs", "metrics.md");

	private static final String HEAD = """
			<!--
			Made from the enums that document metrics: do not edit. MetricsDocumentTests fails when this page is stale, and writes it:
			mvn -pl extensions/idempotent-actuator -am test -Dtest=MetricsDocumentTests \\
			    -Dsurefire.failIfNoSpecifiedTests=false -Didempotent.write-docs=true
			-->
			# Metrics and traces

			Which metrics and spans does `idempotent-actuator` produce, and what do their tags mean? The starters bring it. Names and tags are as stable as properties. No tag contains an operation key or a caller. A
			tag has the name of a lock up to the first colon, and `other` from the 101st such name on. Prometheus shows a name with underscores and its unit, such as
			`idempotent_submission_seconds_count`.

			## Observations

			An observation is a timer and, with Micrometer Tracing, a span. While it is open, the timer `<name>.active` counts it. Observations need a bean of type `ObservationRegistry`,
			which Spring Boot Actuator provides. A `GlobalObservationConvention` bean replaces names and key values. `management.observations.enable.<name>=false` switches an observation off.
			Micrometer adds the tag `error`: the class of the exception that the operation threw, or `none`. A refusal is no error. What handlers, filters and conventions throw is logged,
			and does not disturb the operation.

			**Scopes.** While an operation runs and its outcome is recorded, the observation of its submission is current: spans of the operation are its children, and log lines have its
			span id. On other threads this needs context propagation by the application. The claim is measured, but its spans are no children. The observation of a lock is
			current while the thread waits, not in the code under the lock.

			**Traces.** With Micrometer Tracing, a record keeps the `traceparent` under which its key was claimed. The span of a replay links to it, on any node.

			**Skipped methods.** A method that `@DistributedLocked` skips has the outcome `not-obtained` or `unavailable`, as the acquisition ended.
			""";

	private static final String METERS_HEAD = """

			## Meters

			Meters need a bean of type `MeterRegistry`. `management.metrics.enable.idempotent=false` switches all of them off. All values are of one node: sum or compare them over the
			nodes. Counters of failures exist from the start, so that the first failure is an increase from zero. Reading a meter asks no server.

			Percentiles are off, as in Spring Boot: `management.metrics.distribution.percentiles-histogram.idempotent.store.calls=true` adds the buckets of a timer.

			See also the [Grafana dashboard](operations/grafana-dashboard.json), the [alert rules for Prometheus](operations/prometheus-alerts.yml),
			[health](reference/health.md), and the meters of [switching](reference/lock-switching.md#meters).
			""";

	private static final String TAGS = """

			| Tag | Description |
			| --- | --- |
			""";

	@Test
	void thePageShowsTheEnums() throws IOException {
		String expected = page();
		if (Boolean.getBoolean("idempotent.write-docs")) {
			Files.writeString(PAGE, expected);
		}
		assertThat(PAGE).as("docs/metrics.md, which -Didempotent.write-docs=true writes").content().isEqualTo(expected);
	}

	@Test
	void everyNameBelongsToTheLibrary() {
		assertThat(Stream.concat(observations().map(MetricsDocumentTests::name),
				meters().map(MeterDocumentation::getName)))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name).matches("idempotent(\\.[a-z-]+)+"));
	}

	@Test
	void everyOutcomeHasACodeOfItsOwn() {
		Stream<String> outcomes = Arrays.stream(SubmissionOutcome.values()).map(SubmissionOutcome::code);
		Stream<String> refusals = Arrays.stream(Refusal.values()).map(Refusal::code);
		assertThat(Stream.concat(outcomes, refusals)).doesNotHaveDuplicates()
			.allSatisfy((code) -> assertThat(code).matches("[a-z-]+"));
	}

	private String page() {
		StringBuilder page = new StringBuilder(HEAD);
		observations().forEach((observation) -> page.append(observation(observation)));
		page.append(outcomes()).append(METERS_HEAD);
		meters().forEach((meter) -> page.append(meter(meter)));
		return page.toString();
	}

	private String observation(ObservationDocumentation observation) {
		String section = "\n### `" + name(observation) + "`\n\n" + javadoc((Enum<?>) observation) + "\n\nConvention: `"
				+ observation.getDefaultConvention().getName() + "`\n"
				+ tags(TAGS, observation.getLowCardinalityKeyNames());
		return section + tags("\nOf the span only:\n" + TAGS, observation.getHighCardinalityKeyNames());
	}

	private String meter(MeterDocumentation meter) {
		String type = meter.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
		String unit = (meter.getBaseUnit() != null) ? ", in " + meter.getBaseUnit() : "";
		return "\n### `" + meter.getName() + "`\n\n" + javadoc((Enum<?>) meter) + " (" + type + unit + ")\n"
				+ tags(TAGS, KeyName.merge(meter.getKeyNames(), meter.getAdditionalKeyNames()));
	}

	private String tags(String head, KeyName[] names) {
		StringBuilder rows = new StringBuilder((names.length > 0) ? head : "");
		for (KeyName name : names) {
			rows.append(row(name.asString(), (Enum<?>) name));
		}
		return rows.toString();
	}

	private String outcomes() {
		StringBuilder rows = new StringBuilder("""

				### Outcomes of a submission

				| `outcome` | Description |
				| --- | --- |
				""");
		for (SubmissionOutcome outcome : SubmissionOutcome.values()) {
			rows.append(row(outcome.code(), outcome));
		}
		refusals().forEach((refusal) -> rows.append(row(refusal.code(), refusal)));
		rows.append("""

				### Outcomes of a lock

				| `outcome` | Description |
				| --- | --- |
				""");
		for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
			rows.append(row(outcome.code(), outcome));
		}
		return rows.toString();
	}

	/** The refusals of submissions, without those of locks. */
	private static Stream<Refusal> refusals() {
		return Arrays.stream(Refusal.values()).filter((refusal) -> !refusal.code().startsWith("lock"));
	}

	private String row(String name, Enum<?> constant) {
		return "| `" + name + "` | " + javadoc(constant).replace("|", "\\|") + " |\n";
	}

	private static Stream<ObservationDocumentation> observations() {
		return OBSERVATIONS.stream().flatMap((type) -> Arrays.stream(type.getEnumConstants()));
	}

	private static Stream<MeterDocumentation> meters() {
		return Arrays.stream(IdempotencyMeterDocumentation.values());
	}

	private static String name(ObservationDocumentation observation) {
		return BeanUtils.instantiateClass(observation.getDefaultConvention()).getName();
	}

	/** The Javadoc of a constant in its source, as Markdown in one line. */
	private static String javadoc(Enum<?> constant) {
		Class<?> type = constant.getDeclaringClass();
		String source = source(type.getName().replaceAll("\\$.*", ""));
		Matcher javadoc = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s+" + constant.name() + "\\b", Pattern.DOTALL)
			.matcher(source);
		assertThat(javadoc.find(source.indexOf("enum " + type.getSimpleName() + " "))).as("Javadoc of " + constant)
			.isTrue();
		return javadoc.group(1)
			.replaceAll("\n\\s*\\*", " ")
			.replaceAll("\\{@code ([^}]+)}", "`$1`")
			.replaceAll("\\{@link (?:[a-z.]+\\.)?(\\w+)(?:#\\w+)?}", "`$1`")
			.replaceAll("\\s+", " ")
			.strip();
	}

	private static String source(String type) {
		try (Stream<Path> modules = Files.list(Path.of("..", "..", "modules"));
				Stream<Path> extensions = Files.list(Path.of(".."))) {
			return Files.readString(Stream.concat(modules, extensions)
				.map((module) -> module.resolve("src/main/java"))
				.map((sources) -> sources.resolve(type.replace('.', '/') + ".java"))
				.filter(Files::exists)
				.findFirst()
				.orElseThrow());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
