package io.idempotent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the pages name exists: pages and headings, properties, types, artifacts, the
 * scripts in the jars, and what their commands name. Both READMEs show the same code,
 * which is that of applications that tests run.
 */
class DocumentsTests {

	private static final Path ROOT = TestSources.ROOT.toAbsolutePath().normalize();

	private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");

	private static final Pattern LINK = Pattern.compile("(?:]\\(|<img src=\")([^)\\s:\"]+)[)\"]");

	private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

	private static final Pattern PROPERTY = Pattern
		.compile("(?<![\\w./-])idempotent\\.[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)*(?![\\w.<(])");

	/** The names of operations and locks are those of the application. */
	private static final Pattern OF_ONE = Pattern.compile("idempotent\\.(operations|lock\\.locks)\\.");

	private static final Pattern TYPE = Pattern
		.compile("(?<![\\w.])io\\.idempotent(\\.[a-z]+)*(\\.[A-Z]\\w+)?(?![\\w.])");

	/** The changelog names modules that are gone. */
	private static final Pattern ARTIFACT = Pattern
		.compile("(?<=[`>])(?<!The module `)idempotent-[a-z]+(-[a-z]+)*(?=[`<])");

	private static final Pattern VERSION = Pattern.compile("[\\w.]+-SNAPSHOT");

	private static final Pattern MODULES = Pattern.compile("(?<=mvn [^\n`]{0,100}-pl )[\\w,/-]+");

	private static final Pattern PROFILES = Pattern.compile("(?<=mvn [^\n`]{0,100}-P)(?!native)[\\w,-]+");

	private static final Pattern TEST = Pattern.compile("(?<=-Dtest=)\\w+(?= )");

	private static final Pattern APPLICATION_CODE = Pattern.compile("(?s)```(?:java|html)\n(.*?)```");

	private static final Pattern RESOURCE = Pattern.compile("(?<![\\w./])io/idempotent/[\\w./-]*\\w");

	@Test
	void everyLinkLeadsToAPageAndAHeading() {
		assertThat(pages()).isNotEmpty()
			.flatMap((page) -> LINK.matcher(prose(page))
				.results()
				.map((link) -> link.group(1))
				.filter((link) -> !leadsSomewhere(page, link))
				.map((link) -> page + ": " + link)
				.toList())
			.isEmpty();
	}

	private static boolean leadsSomewhere(Path page, String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
		return Files.exists(target) && (parts.length == 1 || headings(target).contains(parts[1]));
	}

	private static Set<String> headings(Path page) {
		return HEADING.matcher(CODE_BLOCK.matcher(TestSources.read(page)).replaceAll(""))
			.results()
			.map((heading) -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
			.map((title) -> title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{IsWord} -]", "").strip().replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	/** A name that is no property is that of a meter or a message. */
	@Test
	void everyNamedPropertyExists() {
		String known = TestSources.page("properties.md") + TestSources.page("metrics.md") + sources(".properties")
				+ sources(".java");
		assertThat(names(PROPERTY,
				(name) -> name.endsWith(".js") || OF_ONE.matcher(name).lookingAt() || known.contains(name)))
			.isEmpty();
	}

	@Test
	void everyNamedTypeAndPackageExists() {
		String code = sources(".java");
		assertThat(names(TYPE,
				(name) -> isInAModule("src/main/java", name.replace('.', '/') + ".java")
						|| isInAModule("src/main/java", name.replace('.', '/')) || code.contains('"' + name + '"')))
			.isEmpty();
	}

	@Test
	void everyNamedPlaceInAJarExists() {
		assertThat(names(RESOURCE, (name) -> isInAModule("target/classes", name))).isEmpty();
	}

	@Test
	void everyNamedArtifactExistsInItsVersion() {
		String code = sources(".java");
		assertThat(
				names(ARTIFACT,
						(name) -> Stream.of(".", "modules", "extensions")
							.anyMatch((group) -> isAModule(group + '/' + name)) || code.contains('"' + name + '"')))
			.isEmpty();
		String version = "<version>%s</version>";
		assertThat(
				names(VERSION, (name) -> TestSources.read(ROOT.resolve("pom.xml")).contains(version.formatted(name))))
			.isEmpty();
	}

	private static boolean isAModule(String directory) {
		return Files.exists(ROOT.resolve(directory).resolve("pom.xml"));
	}

	@Test
	void everyMavenCommandNamesModulesProfilesAndTestsThatExist() {
		assertThat(names(MODULES, (names) -> Stream.of(names.split(",")).allMatch(DocumentsTests::isAModule)))
			.isEmpty();
		String builds = Stream.concat(Stream.of(ROOT, ROOT.resolve("benchmarks")), modules().stream())
			.map((module) -> module.resolve("pom.xml"))
			.filter(Files::exists)
			.map(TestSources::read)
			.collect(Collectors.joining());
		assertThat(names(PROFILES,
				(names) -> Stream.of(names.split(",")).allMatch((name) -> builds.contains("<id>" + name + "</id>"))))
			.isEmpty();
		TestSources tests = new TestSources();
		assertThat(names(TEST, (name) -> tests.missing(Stream.of(name)).isEmpty())).isEmpty();
	}

	@Test
	void theTableAndTheDrawingOfTheArchitectureShowEveryModule() {
		String table = TestSources.page("architecture.md");
		String drawing = TestSources.page("architecture/modules.svg");
		assertThat(Stream.of("modules", "extensions").flatMap((group) -> list(ROOT.resolve(group))))
			.filteredOn((module) -> Files.exists(module.resolve("src/main")))
			.extracting((module) -> module.getFileName().toString())
			.isNotEmpty()
			.allSatisfy((name) -> {
				assertThat(table).contains("| `" + name + "` |");
				assertThat(drawing)
					.containsPattern(">(idempotent-)?" + name.substring("idempotent-".length()) + "( \\*)?<");
			});
	}

	@Test
	void theCodeOfReadmeIsThatOfTheShopOrOfTheFirstApplication() {
		String run = withoutSpaces(
				files(ROOT.resolve("sample-order-app/src/main")).filter((file) -> file.toString().endsWith(".java"))
					.map(TestSources::read)
					.collect(Collectors.joining()) + TestSources.read(ROOT.resolve("docs/getting-started.md")));
		assertThat(APPLICATION_CODE.matcher(TestSources.read(ROOT.resolve("README.md")))
			.results()
			.map((code) -> code.group(1))).isNotEmpty()
			.allSatisfy((code) -> assertThat(run).contains(withoutSpaces(code)));
	}

	private static String withoutSpaces(String code) {
		return code.replaceAll("\\s", "");
	}

	@Test
	void bothReadmesShowTheSame() {
		assertThat(code("README.zh-CN.md")).isNotEmpty().isEqualTo(code("README.md"));
		assertThat(links("README.zh-CN.md")).containsAll(links("README.md"));
	}

	/** But for those to the other languages. */
	private static Set<String> links(String page) {
		return LINK.matcher(TestSources.read(ROOT.resolve(page)))
			.results()
			.map((link) -> link.group(1))
			.filter((link) -> !link.contains(".zh-CN."))
			.collect(Collectors.toSet());
	}

	/** The blocks, with all that is not a comment. */
	private static List<String> code(String page) {
		return CODE_BLOCK.matcher(TestSources.read(ROOT.resolve(page)))
			.results()
			.map((block) -> block.group().replaceAll("(?m)(^| +)(#|//) .*$", ""))
			.toList();
	}

	/** What the pages name, and what is not known, each with its page. */
	private static List<String> names(Pattern pattern, Predicate<String> known) {
		return pages().stream()
			.flatMap((page) -> pattern.matcher(TestSources.read(page))
				.results()
				.map(MatchResult::group)
				.filter(known.negate())
				.map((name) -> page + ": " + name))
			.toList();
	}

	private static boolean isInAModule(String directory, String path) {
		return modules().stream().anyMatch((module) -> Files.exists(module.resolve(directory).resolve(path)));
	}

	private static List<Path> modules() {
		return Stream.of("modules", "extensions", "tests").flatMap((group) -> list(ROOT.resolve(group))).toList();
	}

	private static Stream<Path> list(Path directory) {
		try (Stream<Path> children = Files.list(directory)) {
			return children.toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> pages() {
		return Stream
			.of(list(ROOT), list(ROOT.resolve("tests/architecture")),
					list(ROOT.resolve("extensions/idempotent-conformance")), files(ROOT.resolve("docs")))
			.flatMap((files) -> files)
			.filter((file) -> file.toString().endsWith(".md"))
			.toList();
	}

	private static String sources(String extension) {
		return modules().stream()
			.map((module) -> module.resolve("src/main"))
			.filter(Files::exists)
			.flatMap(DocumentsTests::files)
			.filter((file) -> file.toString().endsWith(extension))
			.map(TestSources::read)
			.collect(Collectors.joining());
	}

	private static Stream<Path> files(Path directory) {
		return TestSources.files(directory.toString(), "").filter(Files::isRegularFile);
	}

	/** Without code. */
	private static String prose(Path page) {
		return CODE_BLOCK.matcher(TestSources.read(page)).replaceAll("").replaceAll("`[^`\n]*`", "");
	}

}
