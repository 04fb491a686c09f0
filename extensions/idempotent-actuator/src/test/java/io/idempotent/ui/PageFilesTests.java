package io.idempotent.ui;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.idempotent.testing.Unchecked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the files of the page contain.
 */
class PageFilesTests {

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\d}|`");

	private final Map<String, String> scripts = read("*.js");

	private final String html = text(new ClassPathResource("index.html", PageFilesTests.class));

	@Test
	void nothingIsLoadedFromElsewhere() {
		assertThat(read("*.*")).isNotEmpty()
			.allSatisfy((name, content) -> assertThat(content.replace("http://www.w3.org/2000/svg", ""))
				.doesNotContain("http:", "https:", "@import"));
		assertThat(this.html).doesNotContain("http:", "https:");
	}

	@Test
	void noScriptOrStyleIsInline() {
		assertThat(this.html).doesNotContain("<style", "style=")
			.doesNotContainPattern("<script(?![^>]*src=)")
			.doesNotContainPattern("\\son[a-z]+=");
	}

	@Test
	void noScriptMakesHtmlOrCodeOfText() {
		assertThat(this.scripts).isNotEmpty()
			.allSatisfy((name, script) -> assertThat(script).doesNotContainPattern(
					"innerHTML|outerHTML|insertAdjacentHTML|document\\.write|srcdoc|DOMParser|eval\\(|new Function|createContextualFragment|setHTML"));
	}

	@Test
	void everyImportedFileExists() {
		assertThat(this.scripts).allSatisfy((name, script) -> assertThat(this.scripts.keySet())
			.containsAll(all(script, "from \"\\./([a-z]+\\.js)\"")));
	}

	@Nested
	class Texts {

		private final Map<String, Object> english = messages("en.json");

		private final Map<String, Object> chinese = messages("zh.json");

		@Test
		void bothLanguagesHaveTheSameTexts() {
			assertThat(this.chinese).hasSameSizeAs(this.english).containsOnlyKeys(this.english.keySet());
		}

		@Test
		void bothLanguagesHaveTheSamePlaceholders() {
			assertThat(this.english)
				.allSatisfy((key, message) -> assertThat(placeholders(this.chinese.get(key))).as(key)
					.isEqualTo(placeholders(message)));
		}

		@Test
		void everyTextThatIsUsedExists() {
			Set<String> used = new TreeSet<>(all(PageFilesTests.this.html, "data-text=\"([a-z.]+)\""));
			PageFilesTests.this.scripts.values()
				.forEach((script) -> used.addAll(all(script, "\\b(?:t|rich)\\(\"([A-Za-z.-]+[A-Za-z])\"")));
			assertThat(used).hasSizeGreaterThan(60).isSubsetOf(this.english.keySet());
		}

		@ParameterizedTest
		@ValueSource(strings = { "release", "confirm", "switch", "cancel-switch", "forceRelease", "confirmStep",
				"repeatStep", "resume", "endOperation" })
		void everyActionHasAllTexts(String action) {
			for (String part : new String[] { "open", "title", "does", "wrong", "button", "done" }) {
				assertThat(this.english).containsKey(action + "." + part);
			}
		}

		private static Set<String> placeholders(Object message) {
			return PLACEHOLDER.matcher(message.toString())
				.results()
				.map(MatchResult::group)
				.collect(Collectors.toSet());
		}

		private static Map<String, Object> messages(String file) {
			return JsonParserFactory.getJsonParser().parseMap(read(file).get(file));
		}

	}

	private static Set<String> all(String text, String pattern) {
		return Pattern.compile(pattern)
			.matcher(text)
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	private static Map<String, String> read(String pattern) {
		return Unchecked.call(() -> {
			Resource[] files = new PathMatchingResourcePatternResolver()
				.getResources("classpath:io/idempotent/ui/page/" + pattern);
			return Arrays.stream(files)
				.collect(Collectors.toMap(Resource::getFilename, PageFilesTests::text, (one, other) -> one,
						TreeMap::new));
		});
	}

	private static String text(Resource resource) {
		return Unchecked.call(() -> resource.getContentAsString(StandardCharsets.UTF_8));
	}

}
