package io.idempotent.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of all properties is made from the metadata that the compiler writes, and is
 * stale when it says anything else.
 */
class PropertiesDocumentTests {

	private static final Path PAGE = Path.of("..", "..", "docs", "properties.md");

	private static final String HEAD = """
			<!--
			Made from the configuration metadata: do not edit. PropertiesDocumentTests fails when this page is stale, and writes it:
			mvn -pl tests/architecture -am test -Dtest=PropertiesDocumentTests \\
			    -Dsurefire.failIfNoSpecifiedTests=false -Didempotent.write-docs=true
			-->
			# Properties

			Every property, with its default. Times are written as `30s`, `10m`, `24h` or `PT30S`, sizes as `256KB` or `1MB`. A
			time that is a number without a unit is in milliseconds: `30` means 30ms, not 30s. What cannot work (a time that is
			not positive, a header name that is none) stops the application at its start, with the name of the property and the
			way out. So does a property under `idempotent` that does not exist, or whose module is not on the class path, unless
			it is an environment variable or a system property: Spring Boot checks neither.
			""";

	private static final String OPERATIONS = """

			## `idempotent.operations`

			Settings of a single operation, which win over its annotation. `<name>` is the name of the operation: that of
			`@ApiIdempotent(name = "…")`, or else class and method, such as `OrderController.create`. As in every map of Spring Boot, a name
			with other characters than letters, digits and hyphens, such as a dot, needs brackets:

			| Where | How |
			| --- | --- |
			| properties | `idempotent.operations[OrderController.create].lease=1m` |
			| YAML | `idempotent.operations: { "[OrderController.create]": { lease: 1m } }` |
			| properties, for a name without a dot | `idempotent.operations.create-order.lease=1m` |
			| environment, for a name of lower-case letters and digits | `IDEMPOTENT_OPERATIONS_CREATE_LEASE=1m` |
			| environment, for any name | `SPRING_APPLICATION_JSON={"idempotent.operations[OrderController.create].lease":"1m"}` |

			A `<name>` that no annotated operation has is a warning in the log at start-up. The settings are those of `idempotent.defaults`, and three more: `receipt` (`on` or
			`off`), `message`, and `compared-fields`, the only fields of requests that count when contents are compared. Either of `ignored-fields` and `compared-fields`
			replaces both of the annotation.
			""";

	private static final String LOCKS = """

			## `idempotent.lock.locks`

			Settings of a single lock, which take precedence over its annotation and over `LockOptions` in the code. `<name>` is the name of the lock up to its first colon: that of
			`@DistributedLocked(name = "…")`, or else application, class and method, such as `shop.PriceService.refresh`. It is written as the name of an operation:
			`idempotent.lock.locks.nightly.hold-at-most=10m`, `idempotent.lock.locks[shop.PriceService.refresh].fair=true`, or `IDEMPOTENT_LOCK_LOCKS_NIGHTLY_HOLDATMOST=10m`.
			All nodes must agree on `engine` and `fair`. A `<name>` that no annotated lock has is a warning in the log at start-up.

			| Property | Type | Description |
			| --- | --- | --- |
			| `idempotent.lock.locks[<name>].wait-time` | Duration | How long an annotated method, or a `LockTemplate`, waits for the lock. |
			| `idempotent.lock.locks[<name>].lease-time` | Duration | How long the lock is valid without renewal. |
			| `idempotent.lock.locks[<name>].hold-at-most` | Duration | How long the lock is held at most; then it is lost. |
			| `idempotent.lock.locks[<name>].hold-at-least` | Duration | How long the lock stays locked at least. |
			| `idempotent.lock.locks[<name>].engine` | String | Name of the lock engine. |
			| `idempotent.lock.locks[<name>].fair` | Boolean | Whether waiting nodes get the lock in turn. |
			""";

	private static final String TABLE = """
			| Property | Type | Default | Description |
			| --- | --- | --- | --- |
			""";

	private static final List<String> SECTIONS = List.of("idempotent", "idempotent.defaults", "idempotent.token",
			"idempotent.web", "idempotent.wait", "idempotent.store", "idempotent.lock",
			"management.endpoint.idempotent");

	private static final Pattern NAME = Pattern
		.compile("idempotent\\..*|management\\.endpoint\\.idempotent\\.(roles|show-response)");

	private final Map<String, JsonNode> properties = read();

	@Test
	void everyPropertyHasADescription() {
		assertThat(this.properties.values()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).endsWith("."));
	}

	@Test
	void everyPropertyOfAGroupHasADefaultUnlessItIsOptional() {
		assertThat(this.properties.values()).filteredOn((property) -> !property.has("defaultValue"))
			.extracting((property) -> property.path("name").asString())
			.containsExactlyInAnyOrder("idempotent.namespace", "idempotent.node", "idempotent.operations",
					"idempotent.defaults.ignored-fields", "idempotent.defaults.replay-errors",
					"idempotent.defaults.when-in-progress", "idempotent.guard.data-source",
					"idempotent.web.forms.secret-fields", "idempotent.web.key-required", "idempotent.web.status",
					"idempotent.token.signing.active-key", "idempotent.token.signing.keys", "idempotent.lock.engines",
					"idempotent.lock.locks", "idempotent.lock.namespace", "idempotent.lock.quorum.servers",
					"idempotent.lock.switching.authority", "idempotent.lock.zookeeper.auth",
					"idempotent.lock.zookeeper.connect-string", "management.endpoint.idempotent.roles");
	}

	@Test
	void everyEnumWithADefaultConstantHasHintsWithoutIt() {
		Map<String, List<String>> hinted = new TreeMap<>();
		metadata().flatMap((metadata) -> metadata.path("hints").valueStream())
			.filter((hint) -> NAME.matcher(hint.path("name").asString()).matches())
			.forEach((hint) -> hinted.put(hint.path("name").asString(),
					hint.path("values").values().stream().map((value) -> value.path("value").asString()).toList()));
		Map<String, List<String>> expected = new TreeMap<>();
		this.properties.forEach((name, property) -> {
			if (name.startsWith("idempotent.defaults.") && !constants(property).isEmpty()) {
				expected.put(name, constants(property));
			}
		});
		expected.put("idempotent.lock.engines", List.of("redisson", "zookeeper", "jdbc", "jdbc-transaction", "local"));
		assertThat(hinted).isEqualTo(expected);
	}

	@Test
	void theDefaultThatIsAListIsTheOneInUse() {
		List<String> inUse = new Binder().bindOrCreate("idempotent", IdempotentProperties.class).web().replayHeaders();
		assertThat(this.properties.get("idempotent.web.replay-headers").path("defaultValue").values())
			.extracting(JsonNode::asString)
			.isEqualTo(inUse);
	}

	@Test
	void thePageSaysWhatTheMetadataSays() throws IOException {
		String expected = page();
		if (Boolean.getBoolean("idempotent.write-docs")) {
			Files.createDirectories(PAGE.getParent());
			Files.writeString(PAGE, expected);
		}
		assertThat(PAGE).as("docs/properties.md, which -Didempotent.write-docs=true writes")
			.content()
			.isEqualTo(expected);
	}

	private String page() {
		StringBuilder page = new StringBuilder(HEAD);
		for (String section : SECTIONS) {
			page.append("\n## `").append(section).append("`\n\n").append(TABLE);
			this.properties.forEach((name, property) -> {
				if (section.equals(section(name))) {
					page.append(row(name, property, code(defaultValue(property))));
				}
			});
			if (section.equals("idempotent.defaults")) {
				page.append(OPERATIONS);
			}
		}
		return page.append(LOCKS).toString();
	}

	private static String section(String property) {
		if (property.equals("idempotent.operations") || property.equals("idempotent.lock.locks")) {
			return property;
		}
		return SECTIONS.stream()
			.skip(1)
			.filter((section) -> property.startsWith(section + "."))
			.findFirst()
			.orElse(SECTIONS.get(0));
	}

	private static String row(String name, JsonNode property, String defaultValue) {
		return "| `" + name + "` | " + type(property) + " | " + defaultValue + " | "
				+ property.path("description").asString().replace("|", "\\|") + " |\n";
	}

	private static String type(JsonNode property) {
		List<String> constants = constants(property);
		if (!constants.isEmpty()) {
			return constants.stream().map(PropertiesDocumentTests::code).collect(Collectors.joining(", "));
		}
		String type = property.path("type").asString().replaceAll("[a-z]+\\.", "").replace(",", ", ");
		return type.contains("<") ? code(type) : type;
	}

	private static List<String> constants(JsonNode property) {
		String type = property.path("type").asString();
		if (!ClassUtils.isPresent(type, null) || !ClassUtils.resolveClassName(type, null).isEnum()) {
			return List.of();
		}
		return Arrays.stream(ClassUtils.resolveClassName(type, null).getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.filter((constant) -> !constant.equals("default"))
			.toList();
	}

	private static String defaultValue(JsonNode property) {
		JsonNode value = property.path("defaultValue");
		return value.isArray() ? value.values().stream().map(JsonNode::asString).collect(Collectors.joining(", "))
				: constants(property).isEmpty() ? value.asString("") : value.asString("").replace('_', '-');
	}

	private static String code(String text) {
		return text.isEmpty() ? "" : "`" + text + "`";
	}

	private static Map<String, JsonNode> read() {
		Map<String, JsonNode> properties = new TreeMap<>();
		metadata().flatMap((metadata) -> metadata.path("properties").valueStream())
			.filter((property) -> NAME.matcher(property.path("name").asString()).matches())
			.forEach((property) -> properties.put(property.path("name").asString(), property));
		return properties;
	}

	private static Stream<JsonNode> metadata() {
		try {
			return Collections
				.list(PropertiesDocumentTests.class.getClassLoader()
					.getResources("META-INF/spring-configuration-metadata.json"))
				.stream()
				.map(PropertiesDocumentTests::json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static JsonNode json(URL metadata) {
		try (InputStream json = metadata.openStream()) {
			return JsonMapper.shared().readTree(json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
