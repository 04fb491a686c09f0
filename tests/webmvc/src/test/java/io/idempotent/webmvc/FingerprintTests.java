package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.support.Digest;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.exc.StreamConstraintsException;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What counts as the same request, and what as another.
 */
class FingerprintTests {

	@Nested
	class CanonicalJson {

		private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer();

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '`',
				value = { "{\"a\":1,\"b\":2}|{\"b\":2,\"a\":1}", "{\"a\":[1,2]}| { \"a\" :\t[ 1 , 2 ] } ",
						"[{\"a\":{\"x\":1,\"y\":2}}]|[{\"a\":{\"y\":2,\"x\":1}}]", "\"a\"|\"\\u0061\"",
						"{\"\\u0061\":\"/\"}|{\"a\":\"\\/\"}", "\"\u00e9\"|\"\\u00E9\"",
						"\"\ud83d\ude00\"|\"\\uD83D\\uDE00\"" })
		void equivalentDocumentsAreEqual(String one, String other) {
			assertThat(canonical(one)).isNotNull().isEqualTo(canonical(other));
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '`',
				value = { "1|1.0", "1|1e0", "1.0|1.00", "0|-0", "1|\"1\"", "9007199254740993|9007199254740992",
						"0.1|0.10000000000000001", "1e400|1e401", "true|\"true\"", "null|\"null\"", "null|{}", "[]|{}",
						"[1,2]|[2,1]", "[[1],2]|[1,[2]]", "[1,2]|[12]", "{\"a\":null}|{}",
						"{\"a\":1,\"a\":2}|{\"a\":2,\"a\":1}", "{\"a\":1,\"a\":1}|{\"a\":1}", "\"a\"|\"A\"",
						"\"a\"|\"a \"", "{\"a\":\"b\"}|{\"b\":\"a\"}", "{\"a\":{\"b\":1}}|{\"a\":1,\"b\":1}",
						"[\"a\",\"b\"]|[\"as1:b\"]", "[\"as1:b\"]|[\"a\",\"s1:b\"]", "\"\u00e9\"|\"e\u0301\"" })
		void otherDocumentsAreDifferent(String one, String other) {
			assertThat(canonical(one)).isNotNull().isNotEqualTo(canonical(other));
			assertThat(canonical(other)).isNotNull();
		}

		/** In the digest, which is all that becomes of the form. */
		@ParameterizedTest
		@CsvSource({ "\\ud800,\\ud801", "\\ud800,?", "\\udc00,?", "\\udc00\\ud800,??", "\\ud800,\\ufffd" })
		void unpairedSurrogatesAreDifferent(String one, String other) {
			assertThat(Digest.sha256().add(canonical("\"" + one + "\"")).build())
				.isNotEqualTo(Digest.sha256().add(canonical("\"" + other + "\"")).build());
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", "{", "}", "{\"a\":1}x", "{\"a\":1}{\"a\":1}", "1 2", "{\"a\":1,}", "[1,]",
				"{'a':1}", "{a:1}", "NaN", "01", "+1", ".5", "tru", "\"open", "\"\n\"", "// comment\n1", "\"\\x\"" })
		void invalidJsonIsRejected(String text) {
			assertThat(canonical(text)).isNull();
		}

		@Test
		void nestingIsLimitedWithoutAStackOverflow() {
			assertThat(canonical("[".repeat(400) + "]".repeat(400))).isNotNull();
			assertThatExceptionOfType(StreamConstraintsException.class)
				.isThrownBy(() -> canonical("[".repeat(300_000) + "]".repeat(300_000)));
			assertThatExceptionOfType(StreamConstraintsException.class)
				.isThrownBy(() -> canonical("{\"a\":".repeat(300_000) + "1" + "}".repeat(300_000)));
		}

		@Test
		void theNumberOfValuesIsLimited() {
			JsonCanonicalizer bounded = new JsonCanonicalizer(10, false);
			assertThat(bounded.canonicalize("[1,2,3,4,5,6,7,8]".getBytes(StandardCharsets.UTF_8))).isNotNull();
			assertThatExceptionOfType(StreamConstraintsException.class)
				.isThrownBy(() -> bounded.canonicalize("[1,2,3,4,5,6,7,8,9]".getBytes(StandardCharsets.UTF_8)));
		}

		@Test
		void theLengthOfANumberOrATextIsUnlimited() {
			assertThat(canonical("1".repeat(5_000))).isNotNull().isNotEqualTo(canonical("1".repeat(5_001)));
			assertThat(canonical("{\"" + "a".repeat(60_000) + "\":1}")).isNotNull();
		}

		@Test
		void ignoredMembersAreThoseOfTheOutermostObject() {
			byte[] json = "{\"at\":[1,{\"b\":2}],\"order\":{\"at\":3},\"b\":4}".getBytes(StandardCharsets.UTF_8);
			assertThat(this.canonicalizer.canonicalize(json, (name) -> !name.equals("at")))
				.isEqualTo(canonical("{\"order\":{\"at\":3},\"b\":4}"));
			assertThat(this.canonicalizer.canonicalize("{\"at\":[1,{\"b\":2}".getBytes(StandardCharsets.UTF_8),
					(name) -> false))
				.isNull();
		}

		@Test
		void malformedBytesAreNotJson() {
			assertThat(this.canonicalizer.canonicalize("{\"a\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1)))
				.isNull();
			assertThat(canonical("{\"a\":\"\ufffd\"}")).isNotNull();
		}

		@Test
		void theOrderOfMembersNeverMattersAndEveryLeafDoes() {
			long seed = new Random().nextLong();
			Random random = new Random(seed);
			for (int round = 0; round < 2_000; round++) {
				Object value = JsonTexts.value(random);
				String text = JsonTexts.write(value, new Random(random.nextLong()));
				String shuffled = JsonTexts.write(value, new Random(random.nextLong()));
				assertThat(canonical(text)).as("seed %d, round %d: %s", seed, round, text)
					.isNotNull()
					.isEqualTo(canonical(shuffled));
				String changed = JsonTexts.write(JsonTexts.mutate(value, random), new Random(random.nextLong()));
				assertThat(canonical(changed)).as("seed %d, round %d: %s and %s", seed, round, text, changed)
					.isNotNull()
					.isNotEqualTo(canonical(text));
			}
		}

		private String canonical(String json) {
			return this.canonicalizer.canonicalize(json.getBytes(StandardCharsets.UTF_8));
		}

	}

	@Nested
	class OverHttp {

		private static final String JSON = "application/json";

		private static final String FORM = "application/x-www-form-urlencoded";

		@RegisterExtension
		static final TestServer server = TestServer.of(Things.class, "idempotent.defaults.ignored-fields=sentAt",
				"idempotent.operations[Things.ignoringByProperty].ignored-fields[0]=trace",
				"idempotent.operations[Things.ignoringByProperty].ignored-fields[1]=attempt",
				"idempotent.operations[Things.comparingByProperty].compared-fields=id");

		@RegisterExtension
		static final TestServer unparsed = TestServer.of(Things.class, "spring.mvc.formcontent.filter.enabled=false",
				"spring.servlet.multipart.enabled=false");

		@ParameterizedTest
		@ValueSource(strings = { "application/json", "application/json;charset=UTF-8", "application/vnd.thing+json" })
		void reorderedJsonIsTheSame(String type) {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = submit("/things", type, key, "{\"name\":\"tea\",\"count\":1}");
			assertThat(first.statusCode()).isEqualTo(200);
			TestServer.assertReplays(first, submit("/things", type, key, "{ \"count\": 1, \"name\": \"tea\" }"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "{\"name\":\"tea\",\"count\":2}", "{\"name\":\"tea\",\"count\":1.0}",
				"{\"name\":\"tea\",\"count\":\"1\"}", "{\"name\":\"tea\"}",
				"{\"name\":\"tea\",\"count\":1,\"more\":null}", "{", "" })
		void changedJsonIsAnother(String changed) {
			String key = TestServer.newKey();
			submit("/things", "application/json", key, "{\"name\":\"tea\",\"count\":1}");
			assertKeyReused(submit("/things", "application/json", key, changed));
		}

		@Test
		void invalidJsonIsComparedByItsBytes() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = submit("/text", "text/plain", key, "{\"a\":1,\"b\":2}");
			assertThat(TestServer.text(first)).contains("{\"a\":1,\"b\":2}");
			assertKeyReused(submit("/text", "text/plain", key, "{\"b\":2,\"a\":1}"));
			assertKeyReused(submit("/text", "text/plain", key, "{\"a\":1,\"b\":2} "));
			TestServer.assertReplays(first, submit("/text", "text/plain", key, "{\"a\":1,\"b\":2}"));
		}

		@ParameterizedTest
		@ValueSource(strings = { "us-ascii", "US-ASCII", "ISO-8859-1", "koi8-r", "windows-1252" })
		void theCharsetOfJsonDoesNotMatter(String charset) {
			String json = "{\"id\":\"" + TestServer.newKey() + "\",\"count\":1}";
			HttpResponse<byte[]> first = submit("/by-content", "application/json", "-", json);
			TestServer.assertReplays(first, submit("/by-content", "application/json;charset=" + charset, "-", json));
			TestServer.assertReplays(first,
					submit("/by-content", "application/json; Charset=\"" + charset + "\"", "-", json));
		}

		@Test
		void jsonIsComparedByItsCharactersInEveryCharset() {
			String name = TestServer.newKey() + "\u00e9";
			HttpResponse<byte[]> first = submit("/by-content", "application/json", "-", "{\"name\":\"" + name + "\"}");
			for (Charset charset : List.of(StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16LE)) {
				byte[] encoded = ("{ \"name\" : \"" + name + "\"}").getBytes(charset);
				TestServer.assertReplays(first,
						server.send(server.request("/by-content")
							.header("Content-Type", "application/json;charset=" + charset)
							.POST(BodyPublishers.ofByteArray(encoded))));
			}
			byte[] latin = ("{ \"name\" : \"" + name + "\"}").getBytes(StandardCharsets.ISO_8859_1);
			HttpResponse<byte[]> other = server.send(server.request("/by-content")
				.header("Content-Type", "application/json;charset=koi8-r")
				.POST(BodyPublishers.ofByteArray(latin)));
			assertThat(other.statusCode()).isEqualTo(200);
			assertThat(TestServer.isReplayed(other)).isFalse();
		}

		/** Where Spring MVC refuses such a type, nothing is done; else it is the same. */
		@Test
		void anUnknownCharsetMakesNoSecondOperation() {
			String json = "{\"id\":\"" + TestServer.newKey() + "\"}";
			HttpResponse<byte[]> first = submit("/by-content", "application/json", "-", json);
			HttpResponse<byte[]> repeat = submit("/by-content", "application/json;charset=UTF_8", "-", json);
			TestServer.assertReplays(first, repeat);
		}

		@Test
		void anEmptyFormHasNoContent() {
			String query = "/query-by-content?name=" + TestServer.newKey();
			HttpResponse<byte[]> first = server.send(server.request(query).POST(BodyPublishers.noBody()));
			TestServer.assertReplays(first, server.send(post(query, FORM, "")));
			TestServer.assertReplays(first, server.send(post(query, FORM + ";charset=utf-8", "")));
			HttpResponse<byte[]> other = server.send(post(query, FORM, "name=tea"));
			assertThat(other.statusCode()).isEqualTo(200);
			assertThat(TestServer.isReplayed(other)).isFalse();
		}

		@Test
		void reorderedFieldsAreTheSame() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = submit("/form", FORM, key, "name=green+tea&count=1");
			assertThat(TestServer.text(first)).startsWith("green tea, 1, ");
			TestServer.assertReplays(first, submit("/form", FORM, key, "count=1&name=green%20tea"));
			assertKeyReused(submit("/form", FORM, key, "count=2&name=green+tea"));
			assertKeyReused(submit("/form", FORM, key, "count=1&name=green+tea&more="));
			assertKeyReused(submit("/form", FORM, key, "count=1&name=green+tea&count=1"));
			assertKeyReused(submit("/form", FORM, key, "name=green+tea&count1="));
		}

		@Test
		void jsonThatIsSentAsAFormCountsByItsBytes() {
			String key = TestServer.newKey();
			submit("/text", FORM, key, "{\"phone\":\"+49\"}");
			assertKeyReused(submit("/text", FORM, key, "{\"phone\":\" 49\"}"));
		}

		@Test
		void aFilterInFrontReadsTheFormAfterTheCall() throws Exception {
			submit("/form", FORM, TestServer.newKey(), "name=tea&count=1&audited=1");
			assertThat(Things.audited.poll(1, TimeUnit.MINUTES)).isEqualTo("tea");
		}

		@Test
		void theValuesOfOneFieldAreAList() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = submit("/form", FORM, key, "name=a&name=b&count=1");
			TestServer.assertReplays(first, submit("/form", FORM, key, "name=a&count=1&name=b"));
			assertKeyReused(submit("/form", FORM, key, "name=b&name=a&count=1"));
			assertKeyReused(submit("/form", FORM, key, "name=a,b&count=1"));
		}

		@Test
		void theTokenFieldIsNotContent() {
			String token = server.token();
			HttpResponse<byte[]> first = server
				.send(post("/token-form", FORM, "_idempotentToken=" + token + "&name=tea&count=1"));
			assertThat(TestServer.text(first)).startsWith("tea, 1, ");
			TestServer.assertReplays(first,
					server.send(post("/token-form", FORM, "count=1&_idempotentToken=" + token + "&name=tea")));
			TestServer.assertReplays(first,
					server.send(post("/token-form", FORM, "name=tea&count=1").header("Idempotent-Token", token)));
			assertKeyReused(server.send(post("/token-form", FORM, "_idempotentToken=" + token + "&name=tea&count=2")));
		}

		/** Spring has the container parse every kind of multipart request. */
		@ParameterizedTest
		@ValueSource(strings = { "multipart/mixed; boundary=b", "multipart/related; boundary=b",
				"Multipart/Mixed; boundary=b", "multipart/form-data; boundary=b; x=\"" })
		void thePartsOfEveryKindOfMultipartAreContent(String type) {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = submit("/file", type, key, parts("b", "pixels", "a.png"));
			assertThat(TestServer.text(first)).startsWith("tea, a.png, pixels, ");
			TestServer.assertReplays(first, submit("/file", type, key, parts("b", "pixels", "a.png")));
			assertKeyReused(submit("/file", type, key, parts("b", "Pixels", "a.png")));
			assertKeyReused(submit("/file", type, key, parts("b", "pixels", "b.png")));
			assertKeyReused(submit("/file", type, key, parts("b", "", "a.png")));
		}

		@Test
		void theTokenPartIsNotContent() {
			String token = server.token();
			HttpResponse<byte[]> first = server.send(post("/token-file", multipart("b"),
					part("b", "_idempotentToken", token) + parts("b", "pixels", "a.png")));
			assertThat(TestServer.text(first)).startsWith("tea, a.png, pixels, ");
			TestServer.assertReplays(first,
					server.send(post("/token-file", multipart("c"), parts("c", "pixels", "a.png"))
						.header("Idempotent-Token", token)));
			assertKeyReused(server.send(post("/token-file", multipart("c"), parts("c", "other", "a.png"))
				.header("Idempotent-Token", token)));
		}

		@Test
		void aFormMayBePut() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = put(server, "/put-form", key, "name=tea&count=1");
			assertThat(TestServer.text(first)).startsWith("tea, 1, ");
			TestServer.assertReplays(first, put(server, "/put-form", key, "count=1&name=tea"));
			assertKeyReused(put(server, "/put-form", key, "name=tea&count=2"));
		}

		@Test
		void aFormMayBePutWithoutAFormFilter() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = put(unparsed, "/put-text", key, "name=tea&count=1");
			assertThat(TestServer.text(first)).startsWith("name=tea&count=1, ");
			TestServer.assertReplays(first, put(unparsed, "/put-text", key, "name=tea&count=1"));
			assertKeyReused(put(unparsed, "/put-text", key, "name=tea&count=2"));
		}

		/** Where the container does not parse them. */
		@Test
		void theBytesOfUnparsedPartsAreContent() {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = unparsed
				.send(post(unparsed, "/raw", multipart("b"), "--b\r\n\r\nx\r\n--b--").header("Idempotency-Key", key));
			assertThat(TestServer.text(first)).startsWith("15 bytes");
			TestServer.assertReplays(first, unparsed
				.send(post(unparsed, "/raw", multipart("b"), "--b\r\n\r\nx\r\n--b--").header("Idempotency-Key", key)));
			assertKeyReused(unparsed
				.send(post(unparsed, "/raw", multipart("b"), "--b\r\n\r\ny\r\n--b--").header("Idempotency-Key", key)));
		}

		@ParameterizedTest
		@CsvSource({ "/by-default,sentAt,more", "/ignoring,trace,sentAt", "/comparing,more,id",
				"/by-property,attempt,id", "/by-property,trace,sentAt", "/by-other-property,more,id",
				"/ignoring-content,trace,more", "/ignoring-expression,trace,more" })
		void ignoredFieldsMayChange(String path, String free, String counting) {
			for (String type : new String[] { JSON, FORM, multipart("b") }) {
				String key = TestServer.newKey();
				HttpResponse<byte[]> first = submit(path, type, key, free, "1", counting, "1");
				assertThat(first.statusCode()).isEqualTo(200);
				TestServer.assertReplays(first, submit(path, type, key, free, "2", counting, "1"));
				HttpResponse<byte[]> other = submit(path, type, key, free, "1", counting, "2");
				assertThat(TestServer.isReplayed(other)).isFalse();
				assertThat(other.statusCode()).isEqualTo(path.equals("/ignoring-content") ? 200 : 422);
			}
		}

		@ParameterizedTest
		@CsvSource({ "trace,200", "more,422" })
		void queryParametersAreFieldsToo(String name, int status) {
			String key = TestServer.newKey();
			assertThat(submit("/ignoring?" + name + "=1", JSON, key, "a", "1", "b", "1").statusCode()).isEqualTo(200);
			assertThat(submit("/ignoring?" + name + "=2", JSON, key, "a", "1", "b", "1").statusCode())
				.isEqualTo(status);
		}

		private static HttpResponse<byte[]> submit(String path, String type, String key, String one, String oneValue,
				String other, String otherValue) {
			String format = switch (type) {
				case JSON -> "{\"key\":\"" + key + "\",\"%s\":\"%s\",\"%s\":{\"x\":%s}}";
				case FORM -> "key=" + key + "&%s=%s&%s=%s";
				default -> part("b", "key", key) + part("b", "%s", "%s") + part("b", "%s", "%s") + "--b--\r\n";
			};
			return submit(path, type, key, format.formatted(one, oneValue, other, otherValue));
		}

		private static HttpRequest.Builder post(String path, String type, String body) {
			return post(server, path, type, body);
		}

		private static HttpRequest.Builder post(TestServer to, String path, String type, String body) {
			return to.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body));
		}

		private static HttpResponse<byte[]> submit(String path, String type, String key, String body) {
			return server.send(post(path, type, body).header("Idempotency-Key", key));
		}

		private static HttpResponse<byte[]> put(TestServer to, String path, String key, String body) {
			return to.send(to.request(path)
				.header("Content-Type", FORM)
				.header("Idempotency-Key", key)
				.PUT(BodyPublishers.ofString(body)));
		}

		private static String multipart(String boundary) {
			return "multipart/form-data; boundary=" + boundary;
		}

		private static String part(String boundary, String name, String value) {
			return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value
					+ "\r\n";
		}

		private static String parts(String boundary, String content, String fileName) {
			return part(boundary, "name", "tea") + "--" + boundary
					+ "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + fileName
					+ "\"\r\nContent-Type: image/png\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n";
		}

		private static void assertKeyReused(HttpResponse<byte[]> response) {
			TestServer.assertRefused(response, 422, "key-reused");
			assertThat(TestServer.isReplayed(response)).isFalse();
		}

	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Things {

		private static final AtomicInteger made = new AtomicInteger();

		private static final BlockingQueue<String> audited = new LinkedBlockingQueue<>();

		@Bean
		FilterRegistrationBean<Filter> audit() {
			FilterRegistrationBean<Filter> audit = new FilterRegistrationBean<>((request, response, chain) -> {
				chain.doFilter(request, response);
				if (request.getParameter("audited") != null) {
					audited.add(request.getParameter("name"));
				}
			});
			audit.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return audit;
		}

		@PostMapping("/things")
		String byHeader(@RequestBody Map<String, Object> thing) {
			return thing + make();
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/by-content")
		String byContent(@RequestBody Map<String, Object> thing) {
			return thing + make();
		}

		@PostMapping("/text")
		String text(@RequestBody String thing) {
			return thing + make();
		}

		@PostMapping("/form")
		String form(@RequestParam String name, @RequestParam String count) {
			return name + ", " + count + make();
		}

		@ApiIdempotent
		@PostMapping("/token-form")
		String tokenForm(@RequestParam String name, @RequestParam String count) {
			return name + ", " + count + make();
		}

		@PutMapping("/put-form")
		String putForm(@RequestParam String name, @RequestParam String count) {
			return name + ", " + count + make();
		}

		@PutMapping("/put-text")
		String putText(@RequestBody String form) {
			return form + make();
		}

		@PostMapping("/file")
		String file(@RequestParam String name, @RequestParam MultipartFile file) throws Exception {
			return describe(name, file);
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/query-by-content")
		String queryByContent(@RequestParam String name) {
			return name + make();
		}

		@ApiIdempotent
		@PostMapping("/token-file")
		String tokenFile(@RequestParam String name, @RequestParam MultipartFile file) throws Exception {
			return describe(name, file);
		}

		@PostMapping("/raw")
		String raw(@RequestBody byte[] body) {
			return body.length + " bytes" + make();
		}

		@PostMapping("/by-default")
		String byDefault() {
			return make();
		}

		@ApiIdempotent(value = KeySource.HEADER, ignoredFields = { "trace", "attempt" })
		@PostMapping("/ignoring")
		String ignoring() {
			return make();
		}

		@ApiIdempotent(value = KeySource.HEADER, comparedFields = "id")
		@PostMapping("/comparing")
		String comparing() {
			return make();
		}

		@ApiIdempotent(value = KeySource.HEADER, comparedFields = "nothing")
		@PostMapping("/by-property")
		String ignoringByProperty() {
			return make();
		}

		@PostMapping("/by-other-property")
		String comparingByProperty() {
			return make();
		}

		@ApiIdempotent(value = KeySource.CONTENT, ignoredFields = "trace")
		@PostMapping("/ignoring-content")
		String ignoringInContent() {
			return make();
		}

		@ApiIdempotent(key = "#key", ignoredFields = "trace")
		@PostMapping("/ignoring-expression")
		String ignoringBesideExpression(@RequestHeader("Idempotency-Key") String key) {
			return make();
		}

		private static String describe(String name, MultipartFile file) throws Exception {
			return name + ", " + file.getOriginalFilename() + ", " + new String(file.getBytes(), StandardCharsets.UTF_8)
					+ make();
		}

		private static String make() {
			return ", number " + made.incrementAndGet();
		}

	}

}
