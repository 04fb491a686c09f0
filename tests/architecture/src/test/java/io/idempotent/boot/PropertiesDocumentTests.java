package io.idempotent.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
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

	private static final String TABLE = """
			| Property | Type | Default | Description |
			| --- | --- | --- | --- |
			""";

	private static final List<String> SECTIONS = List.of("idempotent", "idempotent.defaults", "idempotent.token",
			"idempotent.web", "idempotent.wait", "idempotent.store", "idempotent.lock",
			"management.endpoint.idempotent");

	private static final Pattern NAME = Pattern
		.compile("idempotent\\..*|management\\.endpoint\\.idempotent\\.(roles|show-response)");

	private final List<JsonNode> metadata = new ArrayList<>();

	private final Map<String, JsonNode> properties = new TreeMap<>();

	PropertiesDocumentTests() throws IOException {
		for (URL file : Collections.list(PropertiesDocumentTests.class.getClassLoader()
			.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream json = file.openStream()) {
				this.metadata.add(JsonMapper.shared().readTree(json));
			}
		}
		all("properties").forEach((property) -> this.properties.put(property.path("name").asString(), property));
	}

	private Stream<JsonNode> all(String kind) {
		return this.metadata.stream()
			.flatMap((file) -> file.path(kind).valueStream())
			.filter((each) -> NAME.matcher(each.path("name").asString()).matches());
	}

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
		all("hints").forEach((hint) -> hinted.put(hint.path("name").asString(),
				hint.path("values").values().stream().map((value) -> value.path("value").asString()).toList()));
		Map<String, List<String>> expected = new TreeMap<>();
		this.properties.forEach((name, property) -> {
			if (name.startsWith("idempotent.defaults.") && !constants(property).isEmpty()) {
				expected.put(name, constants(property));
			}
		});
		expected.put("idempotent.lock.engines", List.of("redisson", "jdbc", "jdbc-transaction", "local"));
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
			Files.writeString(PAGE, expected);
		}
		assertThat(PAGE).as("docs/properties.md, which -Didempotent.write-docs=true writes")
			.content()
			.isEqualTo(expected);
	}

	/** With the rows that the metadata make. */
	private String page() throws IOException {
		String page = Files.readString(PAGE);
		for (String section : SECTIONS) {
			Matcher table = Pattern.compile("\\Q\n## `" + section + "`\n\n" + TABLE + "\\E(\\|.*\n)*").matcher(page);
			assertThat(table.find()).as("a table of %s", section).isTrue();
			page = table.replaceFirst(Matcher.quoteReplacement("\n## `" + section + "`\n\n" + TABLE + rows(section)));
		}
		return page;
	}

	private String rows(String section) {
		return this.properties.keySet()
			.stream()
			.filter((name) -> section.equals(section(name)))
			.map((name) -> row(name, this.properties.get(name)))
			.collect(Collectors.joining());
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

	private static String row(String name, JsonNode property) {
		return "| `" + name + "` | " + type(property) + " | " + code(defaultValue(property)) + " | "
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

}
