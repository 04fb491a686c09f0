package io.idempotent.webmvc;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever is sent, it is told what is wrong with it, runs nothing and stores nothing.
 */
class BadInputTests {

	private static final String BODY = "{\"text\":\"hello\"}";

	private static final int BOUND = 2048;

	@RegisterExtension
	static final TestServer server = TestServer.of(Letters.class, "idempotent.web.max-request-body=" + BOUND + "B");

	@RegisterExtension
	static final TestServer renamed = TestServer.of(Letters.class, "idempotent.token.header=_idempotentToken");

	private static Records records;

	@BeforeAll
	static void start() {
		records = Records.of(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/token-letter", "/header-letter", "/form-letter" })
	void withoutAKeyNothingRuns(String path) {
		assertRefused(server.post(path, BODY), 400, "key-missing");
		assertRefused(form(path, "text=hello"), 400, "key-missing");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "two words", "a,b", "a, b", "\"a\", \"b\"", "\"unterminated", "\"", "\"\"",
			"un\"quoted", "a\"", "\"a\"b", "\"a\" ;p", "\"a\";", "\"a\";P=1", "\"a\";p=", "\"a\";p=1, \"b\"",
			"\"a\";p=\"open", "\"bad\\escape\"", "\"open\\\"", "\"open\\", "\"tab\tin\"", "caf\u00e9", "\u00ff",
			"\"caf\u00e9\"", "a\tb" })
	void aMalformedKeyIsRefused(String key) throws IOException {
		assertRefusedRaw("Idempotency-Key: " + key, "key-malformed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "two words", "a,b", "\"quoted\"", "caf\u00e9" })
	void aMalformedTokenIsRefused(String token) throws IOException {
		assertRefusedRaw("Idempotent-Token: " + token, "key-malformed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0001b", "a\u0000b", "a\u007fb", "a\u001bb" })
	void aControlCharacterIsRefused(String key) throws IOException {
		assertRefusedRaw("Idempotency-Key: " + key, null);
	}

	@Test
	void twoKeysAreRefused() throws IOException {
		assertRefusedRaw("Idempotency-Key: a\r\nIdempotency-Key: b", "key-malformed");
		assertRefusedRaw("Idempotency-Key: a\r\nidempotency-key: a", "key-malformed");
		assertRefusedRaw("Idempotent-Token: a\r\nIdempotent-Token: a", "key-malformed");
	}

	/** A page that has the field by itself may have got another one before it. */
	@Test
	void ofTwoFieldsTheLastCounts() {
		String first = "_idempotentToken=" + server.token();
		String last = "_idempotentToken=" + server.token();
		assertThat(send(form("/form-letter", first + "&text=a&" + last)).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send(form("/form-letter", last + "&text=a")))).isTrue();
		assertThat(TestServer.isReplayed(send(form("/form-letter", first + "&text=a")))).isFalse();
	}

	@Test
	void aKeyHasAtMost255Characters() {
		assertRefused(key("k".repeat(256)), 400, "key-malformed");
		assertRefused(key("\"" + "k".repeat(256) + "\""), 400, "key-malformed");
		assertRefused(server.post("/token-letter", BODY).header("Idempotent-Token", "k".repeat(256)), 400,
				"key-malformed");
		assertThat(send(key("k".repeat(255))).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send(key("\"" + "k".repeat(255) + "\"")))).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "plain|\"plain\"", "back\\slash|\"back\\\\slash\"", "8e03978e|   \"8e03978e\"  " })
	void aQuotedKeyIsTheKeyInTheQuotes(String bare, String quoted) {
		HttpResponse<byte[]> first = send(key(bare));
		assertThat(first.statusCode()).isEqualTo(200);
		TestServer.assertReplays(first, send(key(quoted)));
	}

	@ParameterizedTest
	@ValueSource(strings = { ";p=1", ";p", ";a;b;*c", "; p=1", ";p=\"text, \\\"quoted\\\"\"", ";p=token/1;q=?1",
			";p=-1.5;q=:YWJj:;r=@1659578233;s=%\"f%c3%bc\"" })
	void theParametersOfAQuotedKeyAreIgnored(String parameters) {
		String key = TestServer.newKey();
		assertThat(send(key(key)).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send(key('"' + key + '"' + parameters)))).isTrue();
	}

	@Test
	void theLengthOfAQuotedKeyWithItsParametersIsLimited() {
		assertThat(send(key("\"a\"" + ";p".repeat(766))).statusCode()).isEqualTo(200);
		assertRefused(key("\"a\"" + ";p".repeat(767)), 400, "key-malformed");
	}

	@ParameterizedTest
	@ValueSource(strings = { ":YWJj:", "?1", "idem:*", "${jndi}", "#{1+1}", "a;p=1", "'" })
	void aBareKeyMayBeAnythingPrintable(String key) {
		assertThat(send(key(key)).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send(key(key)))).isTrue();
	}

	@Test
	void anEscapedQuoteCommaOrSpaceBelongsToTheKey() {
		List<String> keys = List.of("\"say \\\"hi\\\", he said\"", "\"say hi, he said\"", "\"say\\\\ hi, he said\"");
		for (String key : keys) {
			assertThat(TestServer.isReplayed(send(key(key)))).isFalse();
			assertThat(TestServer.isReplayed(send(key(key)))).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "o", "x", "aAAAAAAAAAAAAAAAAAAAAAA", "oAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"o__________________________8", "idem:a", "*", "~", "../../etc/passwd", "a{b}", "k1.AAAA" })
	void anUnknownTokenIsRefused(String token) {
		assertRefused(server.post("/token-letter", BODY).header("Idempotent-Token", token), 409, "token-unknown");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nobody", "", "Letters.byform", "*", "%00" })
	void noTokenIsIssuedForAnUnknownOperation(String operation) {
		Map<String, String> before = records.all();
		HttpResponse<byte[]> response = server.send(server.request("/token?operation=" + operation));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(records.all()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/token-letter", "/form-letter" })
	void aTokenInTheQueryStringIsIgnored(String path) {
		String token = server.token();
		assertRefused(server.post(path + "?_idempotentToken=" + token, BODY), 400, "key-missing");
		assertRefused(form(path + "?_idempotentToken=" + token, "text=a"), 400, "key-missing");
		assertRefused(form(path + "?%5fidempotentToken=" + token, "text=a"), 400, "key-missing");
	}

	@Test
	void aTokenInTheBodyIsReadBesideOneInTheQueryString() {
		String token = server.token();
		HttpRequest.Builder request = form("/form-letter?_idempotentToken=other", "text=a&_idempotentToken=" + token);
		assertThat(send(request).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(send(form("/form-letter", "text=a&_idempotentToken=" + token)))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH" })
	void aTokenFieldWithoutAValueIsMalformed(String method) {
		assertRefused(anyForm(method, "text=a&_idempotentToken"), 400, "key-malformed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH" })
	void aFieldWithoutAValueBelongsToTheForm(String method) {
		String token = server.token();
		List<String> forms = List.of("text", "text", "other", "text&text=a");
		List<HttpResponse<byte[]>> responses = forms.stream()
			.map((form) -> send(anyForm(method, form).header("Idempotent-Token", token)))
			.toList();
		assertThat(responses).extracting(HttpResponse::statusCode).containsExactly(200, 200, 422, 422);
		assertThat(TestServer.isReplayed(responses.get(1))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "made-up", "a", "xAAAAAAAAAAAAAAAAAAAAAA", "aAAAAAAAAAAAAAAAAAAAAAA!" })
	void aTokenThatCannotBeValidIsRefusedBeforeTheBodyIsRead(String token) throws IOException {
		try (RawHttp client = RawHttp.connect(server)) {
			// Not one byte of the body is sent, and the answer comes at once.
			String answer = client
				.head("POST /token-letter HTTP/1.1", "Content-Type: application/json", "Idempotent-Token: " + token,
						"Content-Length: 100")
				.answer();
			assertThat(RawHttp.status(answer)).isEqualTo(409);
			assertThat(answer).contains("\"code\":\"token-unknown\"");
		}
	}

	@Test
	void aBodyOfTooManyValuesOrLevelsIsRefused() {
		try (TestServer large = TestServer.start(server.redis(), Letters.class)) {
			for (String body : List.of("[" + "1,".repeat(200_000) + "1]", "[".repeat(501) + "]".repeat(501))) {
				TestServer.assertRefused(large.submit("/header-letter", "many", body), 413, "body-too-large");
			}
			assertThat(large.submit("/header-letter", "few", BODY).statusCode()).isEqualTo(200);
		}
	}

	/** Not one byte of the body is sent, and the answer comes at once. */
	@Test
	void aBodyOverTheLimitIsNotRead() throws IOException {
		assertThat(refusedRaw("", List.of(413), "/header-letter", "Content-Type: application/json",
				"Idempotency-Key: large", "Content-Length: " + (BOUND + 1)))
			.contains("\"code\":\"body-too-large\"");
	}

	@Test
	void aBodyAtTheLimitIsRead() {
		String body = "{\"text\":\"" + "x".repeat(BOUND - 11) + "\"}";
		assertThat(body).hasSize(BOUND);
		assertThat(server.submit("/header-letter", "exact", body).statusCode()).isEqualTo(200);
	}

	@Test
	void aFormOverTheLimitIsRefused() {
		assertRefused(form("/form-letter", "_idempotentToken=" + server.token() + "&text=" + "x".repeat(BOUND)), 413,
				"body-too-large");
		assertRefused(form("/header-letter", "text=" + "x".repeat(BOUND)).header("Idempotency-Key", "large"), 413,
				"body-too-large");
	}

	@ParameterizedTest
	@CsvSource({ "/header-letter,application/json,{\"text\":\"hel", "/content-letter,application/json,{\"text\":\"hel",
			"/header-letter,text/plain,hel", "/content-letter,text/plain,hel",
			"/header-form,application/x-www-form-urlencoded,text=hel",
			"/content-form,application/x-www-form-urlencoded,text=hel", "/header-file,multipart/form-data;boundary=b,",
			"/content-file,multipart/form-data;boundary=b," })
	void aBodyThatBreaksOffRunsNothingAndStoresNothing(String path, String type, String sent) throws IOException {
		String part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nhel";
		refusedRaw((sent != null) ? sent : part, List.of(0, 400, 500), path, "Content-Type: " + type,
				"Idempotency-Key: broken", "Content-Length: 1000");
		refusedRaw("100\r\n" + ((sent != null) ? sent : part), List.of(0, 400, 500), path, "Content-Type: " + type,
				"Idempotency-Key: broken", "Transfer-Encoding: chunked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/csv", "application/pdf", "nonsense", "application/json;q=high", "a/b/c",
			"application/json;charset=nonsense" })
	void aWrongContentTypeIsRefusedAndMayBeCorrected(String type) {
		String key = TestServer.newKey();
		assertRefused(server.request("/header-letter")
			.header("Idempotency-Key", key)
			.header("Content-Type", type)
			.POST(BodyPublishers.ofString(BODY)), 415, "");
		assertThat(server.submit("/header-letter", key, BODY).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"text\":null}", "{\"text\":\"\"}", "{\"from\":{}}" })
	void aKeyExpressionWithoutAValueIsAMissingKey(String body) {
		assertRefused(server.post("/expression-letter", body), 400, "key-missing");
		assertRefused(server.post("/nested-letter", body), 400, "key-missing");
	}

	@Test
	void theTokenHeaderMayHaveTheNameOfTheField() {
		assertThat(TestServer.text(renamed.send(renamed.request("/token"))))
			.contains("\"header\":\"_idempotentToken\"");
		String token = renamed.token();
		HttpRequest.Builder request = renamed.post("/token-letter", BODY).header("_idempotentToken", token);
		assertThat(renamed.send(request).statusCode()).isEqualTo(200);
		assertThat(TestServer.isReplayed(renamed.send(request))).isTrue();
		HttpResponse<byte[]> byOldName = renamed
			.send(renamed.post("/token-letter", BODY).header("Idempotent-Token", token));
		assertThat(TestServer.code(byOldName)).isEqualTo("key-missing");
	}

	private static HttpRequest.Builder key(String key) {
		return server.post("/header-letter", BODY).header("Idempotency-Key", key);
	}

	private static HttpRequest.Builder form(String path, String fields) {
		return server.request(path)
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(fields));
	}

	private static HttpRequest.Builder anyForm(String method, String fields) {
		return form("/any-form-letter", fields).method(method, BodyPublishers.ofString(fields));
	}

	private static HttpResponse<byte[]> send(HttpRequest.Builder request) {
		return server.send(request);
	}

	private static void assertRefused(HttpRequest.Builder request, int status, String code) {
		Map<String, String> before = records.all();
		int read = Letters.read.get();
		TestServer.assertRefused(send(request), status, code);
		assertThat(records.all()).isEqualTo(before);
		assertThat(Letters.read).hasValue(read);
	}

	/**
	 * A 400, with our code or, where the container refused it already, without.
	 */
	private static void assertRefusedRaw(String headers, String code) throws IOException {
		String path = headers.startsWith("Idempotent-Token") ? "/token-letter" : "/header-letter";
		String answer = refusedRaw(BODY, List.of(400), path, headers, "Content-Type: application/json",
				"Content-Length: " + BODY.length());
		assertThat(answer).contains((code != null) ? "\"code\":\"" + code + "\"" : "");
	}

	private static String refusedRaw(String body, List<Integer> statuses, String path, String... headers)
			throws IOException {
		Map<String, String> before = records.all();
		int read = Letters.read.get();
		try (RawHttp client = RawHttp.connect(server)) {
			client.head("POST " + path + " HTTP/1.1", headers).body(body);
			String answer = (statuses.size() > 1) ? client.halfClose().answer() : client.answer();
			assertThat(RawHttp.status(answer)).isIn(statuses);
			assertThat(records.all()).isEqualTo(before);
			assertThat(Letters.read).hasValue(read);
			return answer;
		}
	}

	record Letter(String text, Sender from) {
	}

	record Sender(String name) {
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Letters {

		static final AtomicInteger read = new AtomicInteger();

		@ApiIdempotent
		@PostMapping("/token-letter")
		String byToken(@RequestBody Letter letter) {
			return read();
		}

		@PostMapping("/header-letter")
		String byHeader(@RequestBody Letter letter) {
			return read();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/content-letter")
		String byContent(@RequestBody String letter) {
			return read();
		}

		@ApiIdempotent
		@PostMapping("/form-letter")
		String byForm(@RequestParam String text) {
			return read();
		}

		@ApiIdempotent
		@RequestMapping("/any-form-letter")
		String byAnyForm(@RequestParam Map<String, String> fields) {
			return read();
		}

		@PostMapping(path = "/header-form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
		String headerForm(@RequestParam(required = false) String text) {
			return read();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping(path = "/content-form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
		String contentForm(@RequestParam(required = false) String text) {
			return read();
		}

		@PostMapping("/header-file")
		String headerFile(@RequestParam MultipartFile file) {
			return read();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/content-file")
		String contentFile(@RequestParam MultipartFile file) {
			return read();
		}

		@ApiIdempotent(key = "#letter.text")
		@PostMapping("/expression-letter")
		String byExpression(@RequestBody Letter letter) {
			return read();
		}

		@ApiIdempotent(key = "#letter.from.name")
		@PostMapping("/nested-letter")
		String byNested(@RequestBody Letter letter) {
			return read();
		}

		private static String read() {
			return "letter number " + read.incrementAndGet();
		}

	}

}
