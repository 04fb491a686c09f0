package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.refusal.RefusalPage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a caller reads who is neither served nor answered from the store.
 */
class ProblemTests {

	private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

	private static final String BODY = "{\"name\":\"tea\"}";

	@RegisterExtension
	static final TestServer server = TestServer.of(CatchAll.class, "idempotent.store.near-cache.enabled=false");

	@RegisterExtension
	static final TestServer customized = TestServer.of(Jobs.class,
			"spring.messages.basename=io.idempotent.webmvc.problem-tests");

	private static Records records;

	@BeforeAll
	static void start() {
		records = Records.of(server);
	}

	@ParameterizedTest
	@EnumSource
	void everyRefusalHasATextInEveryLanguage(Refusal refusal) {
		for (Locale locale : List.of(Locale.ROOT, Locale.CHINESE, Locale.forLanguageTag("zh-Hant"))) {
			ResourceBundle words = words(locale);
			for (String part : List.of("title", "detail")) {
				String text = words.getString("idempotent.problem." + refusal.code() + "." + part);
				assertThat(text.replace("{0}", "")).isNotBlank().doesNotContain("{", "'", "\ufffd");
				assertThat(text.chars().allMatch((c) -> c < 128)).isEqualTo(locale.equals(Locale.ROOT));
			}
		}
	}

	@Test
	void allLanguagesHaveTheSameMessages() {
		List<String> expected = Arrays.stream(Refusal.values())
			.flatMap((refusal) -> List.of("title", "detail")
				.stream()
				.map((part) -> "idempotent.problem." + refusal.code() + "." + part))
			.collect(Collectors.toList());
		expected.add("idempotent.problem.language");
		expected.add("idempotent.problem.key-missing.token");
		expected.add("idempotent.problem.key-missing.content");
		expected.add("idempotent.problem.key-malformed.token");
		expected.add("idempotent.problem.key-malformed.quoted");
		expected.add("idempotent.problem.key-malformed.opaque");
		assertThat(words(Locale.ROOT).keySet()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(words(Locale.CHINESE).keySet()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(words(Locale.forLanguageTag("zh-Hant")).keySet()).containsExactlyInAnyOrderElementsOf(expected);
	}

	@Test
	void everyRefusalHasTheStatusThatIsDocumented() {
		Map<Refusal, Integer> documented = Map.ofEntries(Map.entry(Refusal.DUPLICATE, 409),
				Map.entry(Refusal.RESPONSE_UNAVAILABLE, 409), Map.entry(Refusal.KEY_REUSED, 422),
				Map.entry(Refusal.IN_PROGRESS, 409), Map.entry(Refusal.OUTCOME_UNKNOWN, 409),
				Map.entry(Refusal.KEY_MISSING, 400), Map.entry(Refusal.KEY_MALFORMED, 400),
				Map.entry(Refusal.TOKEN_UNKNOWN, 409), Map.entry(Refusal.BODY_TOO_LARGE, 413),
				Map.entry(Refusal.CALLER_UNNAMED, 403), Map.entry(Refusal.STORE_UNAVAILABLE, 503),
				Map.entry(Refusal.BODY_UNREADABLE, 500), Map.entry(Refusal.RECORD_UNREADABLE, 500),
				Map.entry(Refusal.LOCKED, 409), Map.entry(Refusal.LOCK_UNAVAILABLE, 503),
				Map.entry(Refusal.LOCK_LOST, 500), Map.entry(Refusal.LOCK_LOST_ROLLED_BACK, 503));
		for (Refusal refusal : Refusal.values()) {
			assertThat(HttpSettings.defaultStatus(refusal)).as(refusal.code()).isEqualTo(documented.get(refusal));
		}
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "*/*", "application/json", "application/problem+json", "application/*", "text/plain",
			"application/xml", "application/json, text/html", "text/html;q=0.5, application/json",
			"text/html;q=0.1, */*;q=0.2", "text/html;q=0", "text/html;q=0, */*",
			"text/html;q=0.0, application/xhtml+xml;q=0.000", "nonsense", "text/html, nonsense", "text/html;q=high",
			",", ";", "a/b/c" })
	void aClientThatDoesNotPreferHtmlGetsJson(String accept) {
		HttpResponse<byte[]> response = send(refused(accept, null));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
		assertThat(TestServer.header(response, "Cache-Control")).isEqualTo("no-store");
		assertThat(TestServer.header(response, "Content-Language")).isEqualTo("en");
		assertThat(TestServer.header(response, "Retry-After")).isEmpty();
		assertThat(TestServer.text(response))
			.isEqualTo("{\"type\":\"urn:idempotent:problem:key-missing\",\"title\":\"Key missing\",\"status\":400,"
					+ "\"detail\":\"This request must carry the header Idempotency-Key, so that it takes effect only once.\","
					+ "\"code\":\"key-missing\"}");
	}

	@Test
	void theHeaderOfAKeyIsNamed() {
		assertThat(TestServer.text(send(server.post("/jobs", BODY))))
			.contains("\"detail\":\"This request must carry the header Idempotency-Key, so");
		assertThat(TestServer.text(send(server.post("/jobs", BODY).header("Idempotency-Key", "a b"))))
			.contains("\"detail\":\"The header Idempotency-Key must be sent exactly once");
		assertThat(TestServer.text(send(server.post("/jobs", BODY).header("Accept-Language", "zh"))))
			.contains("\u8bf7\u6c42\u5934 Idempotency-Key");
	}

	@ParameterizedTest
	@ValueSource(strings = { "en", "zh", "zh-TW" })
	void headerAndFormFieldOfATokenAreNamed(String language) {
		assertThat(TestServer.text(send(server.post("/by-token", BODY).header("Accept-Language", language))))
			.contains("key-missing", "Idempotent-Token", "_idempotentToken");
		assertThat(TestServer.text(send(
				server.post("/by-token", BODY).header("Accept-Language", language).header("Idempotent-Token", "a b"))))
			.contains("key-malformed", "Idempotent-Token", "_idempotentToken");
	}

	@Test
	void noHeaderIsExpectedIfTheContentIsTheKey() {
		HttpResponse<byte[]> response = send(server.post("/by-expression", "{}"));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.text(response)).contains("A value that identifies this operation is missing")
			.doesNotContain("header", "{0}");
	}

	@Test
	void theTypeOfAProblemMayPointToADocument() {
		String base = "https://api.example.com/problems#";
		try (TestServer documented = TestServer.start(server.redis(), Jobs.class,
				"idempotent.web.problem-base=" + base)) {
			for (HttpRequest.Builder request : List.of(documented.post("/jobs", BODY),
					documented.post("/jobs", BODY).header("Accept", BROWSER))) {
				HttpResponse<byte[]> response = documented.send(request);
				assertThat(TestServer.header(response, "Link"))
					.isEqualTo("<" + base + "key-missing>; rel=\"describedby\"");
			}
			assertThat(TestServer.text(documented.send(documented.post("/jobs", BODY))))
				.contains("\"type\":\"" + base + "key-missing\"");
		}
		assertThat(TestServer.header(send(refused(null, null)), "Link")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { BROWSER, "text/html", "application/xhtml+xml", "text/*",
			"text/html, application/json;q=0.9", "*/*;q=0.1, text/html", "*/*, text/html" })
	void aClientThatPrefersHtmlGetsAPage(String accept) {
		HttpResponse<byte[]> response = send(refused(accept, null));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
		assertThat(TestServer.header(response, "Cache-Control")).isEqualTo("no-store");
		assertThat(TestServer.text(response)).startsWith("<!DOCTYPE html>")
			.contains("<html lang=\"en\">", "<title>Please open the form again</title>",
					"<h1>Please open the form again</h1>", "<meta name=\"problem\" content=\"key-missing\">");
	}

	@ParameterizedTest
	@EnumSource
	void aPageMentionsNoKeysOrTokens(Refusal refusal) {
		RefusalPage pages = new RefusalPage(new ApplicationMessages(new StaticMessageSource()));
		for (String language : List.of("en", "zh-CN", "zh-TW")) {
			Locale locale = Locale.forLanguageTag(language);
			String problem = "idempotent.problem." + refusal.code();
			String page = pages.render(refusal, words(locale).getString(problem + ".title"),
					words(locale).getString(problem + ".detail"), KeySource.HEADER,
					new MockHttpServletRequest("POST", "/orders"), locale);
			assertThat(page.replaceAll("(?s)<head>.*</head>", "")).doesNotContainIgnoringCase("key")
				.doesNotContainIgnoringCase("token")
				.doesNotContain("\u952e", "\u4ee4\u724c", "\u9375", "\u6b0a\u6756");
		}
	}

	@Test
	void aPageLeadsBackToTheForm() {
		String form = "http://localhost:" + server.port() + "/cart?step=2&a=\"b".replace("\"", "%22");
		assertThat(TestServer.text(send(refused(BROWSER, null).header("Referer", form))))
			.contains("<a href=\"/cart?step=2&amp;a=%22b\">Back to the form</a>");
		for (String elsewhere : List.of("http://evil.example/cart", "http://localhost:1/cart",
				"http://localhost:" + server.port() + "//evil.example/", "javascript:alert(1)", "no url at all", "")) {
			assertThat(TestServer.text(send(refused(BROWSER, null).header("Referer", elsewhere)))).as(elsewhere)
				.doesNotContain("href")
				.contains("use the Back button of your browser");
		}
	}

	@Test
	void aLongAcceptHeaderIsHandled() {
		String accept = IntStream.range(0, 60).mapToObj((i) -> "text/x-" + i).collect(Collectors.joining(", "));
		assertThat(send(refused(accept, null)).statusCode()).isEqualTo(400);
		HttpResponse<byte[]> response = send(refused(accept + ", text/html", null));
		assertThat(response.statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "zh|zh", "zh-CN|zh", "zh-TW,zh;q=0.9,en;q=0.8|zh-Hant", "zh-HK|zh-Hant", "zh-MO|zh-Hant",
					"zh-Hant|zh-Hant", "zh-SG|zh", "en|en", "de-DE|en", "de,zh;q=0.5|en", "*|en",
					"nonsense language|en", "|en" })
	void theLanguageIsChineseOnRequestAndEnglishOtherwise(String accepted, String language) {
		String title = switch (language) {
			case "zh" -> "\u7f3a\u5c11\u5e42\u7b49\u952e";
			case "zh-Hant" -> "\u7f3a\u5c11\u51aa\u7b49\u9375";
			default -> "Key missing";
		};
		HttpResponse<byte[]> document = send(refused(null, accepted));
		assertThat(TestServer.header(document, "Content-Language")).isEqualTo(language);
		assertThat(TestServer.text(document)).contains("\"title\":\"" + title + "\"");
		HttpResponse<byte[]> page = send(refused(BROWSER, accepted));
		assertThat(TestServer.header(page, "Content-Language")).isEqualTo(language);
		assertThat(TestServer.text(page)).contains("<html lang=\"" + language + "\">", "<h1>" + switch (language) {
			case "zh" -> "\u8bf7\u91cd\u65b0\u6253\u5f00\u8868\u5355";
			case "zh-Hant" -> "\u8acb\u91cd\u65b0\u958b\u555f\u8868\u55ae";
			default -> "Please open the form again";
		} + "</h1>");
	}

	@Test
	void messagesOfTheApplicationComeFirst() {
		HttpResponse<byte[]> response = customized.send(customized.post("/jobs", BODY));
		assertThat(TestServer.text(response)).contains("\"title\":\"Bring a <key> & \\\"token\\\"\"",
				"\"detail\":\"It's <script>alert('needed')</script> {0}\"", "\"code\":\"key-missing\"");
		HttpResponse<byte[]> other = customized.send(customized.post("/jobs", BODY).header("Idempotency-Key", "a,b"));
		assertThat(TestServer.text(other)).contains("\"title\":\"Key malformed\"");
	}

	@Test
	void messagesAreEscapedInAPage() {
		HttpResponse<byte[]> page = customized.send(customized.post("/jobs", BODY).header("Accept", BROWSER));
		assertThat(TestServer.text(page))
			.contains("<title>Bring a &lt;key&gt; &amp; &quot;token&quot;</title>",
					"<p>It&#39;s &lt;script&gt;alert(&#39;needed&#39;)&lt;/script&gt; {0}</p>")
			.doesNotContain("<script>", "<key>");
	}

	@Test
	void theResponseContainsNoInput() {
		for (String accept : List.of("*/*", BROWSER)) {
			HttpResponse<byte[]> response = send(server.post("/jobs?q=%3Cb%3Eprobe", BODY)
				.header("Idempotency-Key", "<b>probe,probe")
				.header("Accept", accept)
				.header("Accept-Language", "x-probe"));
			assertThat(response.statusCode()).isEqualTo(400);
			assertThat(TestServer.text(response)).doesNotContain("probe");
			assertThat(response.headers().map().toString()).doesNotContain("probe");
		}
	}

	@Test
	void theApplicationMayRenderProblemsItself() {
		try (TestServer rendering = TestServer.start(server.redis(), Rendering.class)) {
			HttpResponse<byte[]> response = rendering.send(rendering.post("/jobs", BODY));
			assertThat(response.statusCode()).isEqualTo(418);
			assertThat(TestServer.text(response)).isEqualTo("no: key-missing");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "record", "answer" })
	void anUnreadableRecordIsAProblemAndNeverRuns(String broken) {
		String key = TestServer.newKey();
		Map<String, String> before = records.all();
		assertThat(send(server.post("/jobs", BODY).header("Idempotency-Key", key)).statusCode()).isEqualTo(200);
		String record = records.all().keySet().stream().filter((name) -> !before.containsKey(name)).findAny().get();
		int done = Jobs.done.get();
		// The version of the record stands first in it, that of the answer first in the
		// answer.
		records.ask((connection) -> {
			connection.stringCommands()
				.setRange(record.getBytes(StandardCharsets.US_ASCII), new byte[] { 9 },
						broken.equals("record") ? 0 : 59);
			return true;
		});
		TestServer.assertRefused(server.submit("/jobs", key, BODY), 500, "record-unreadable");
		assertThat(Jobs.done).hasValue(done);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/jobs", "/by-expression" })
	void aCatchAllHandlerDoesNotSwallowReplaysOrRefusals(String path) {
		String key = TestServer.newKey();
		String job = "{\"name\":\"" + key + "\"}";
		HttpResponse<byte[]> first = server.submit(path, key, job);
		assertThat(first.statusCode()).isEqualTo(200);
		TestServer.assertReplays(first, server.submit(path, key, job));
		TestServer.assertRefused(server.submit(path, key, job.replace("}", ",\"more\":1}")), 422, "key-reused");
	}

	private static ResourceBundle words(Locale locale) {
		return ResourceBundle.getBundle("io.idempotent.webmvc.problems", locale,
				ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
	}

	private static HttpRequest.Builder refused(String accept, String language) {
		HttpRequest.Builder request = server.post("/jobs", BODY);
		if (accept != null) {
			request.header("Accept", accept);
		}
		if (language != null) {
			request.header("Accept-Language", language);
		}
		return request;
	}

	private static HttpResponse<byte[]> send(HttpRequest.Builder request) {
		return server.send(request);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Rendering {

		@Bean
		ProblemRenderer problemRenderer() {
			return (refusal, request, response) -> {
				response.setStatus(418);
				response.getWriter().write("no: " + refusal.code());
			};
		}

	}

	@RestControllerAdvice
	@Import(Jobs.class)
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> anything(Exception ex) {
			return ResponseEntity.internalServerError().body("caught " + ex.getMessage());
		}

	}

	@RestController
	static class Jobs {

		static final AtomicInteger done = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/jobs")
		String work(@RequestBody Job job) {
			return "job number " + done.incrementAndGet();
		}

		@ApiIdempotent(key = "#job.name")
		@PostMapping("/by-expression")
		String byExpression(@RequestBody Job job) {
			return "job number " + done.incrementAndGet();
		}

		@ApiIdempotent
		@PostMapping("/by-token")
		String byToken(@RequestBody Job job) {
			return "job number " + done.incrementAndGet();
		}

	}

	record Job(String name) {
	}

}
