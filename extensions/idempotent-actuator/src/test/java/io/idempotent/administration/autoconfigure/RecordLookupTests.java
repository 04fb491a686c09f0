package io.idempotent.administration.autoconfigure;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.administration.autoconfigure.OperatorServer.Answer;
import io.idempotent.webmvc.CallerResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each submission over HTTP is found through the endpoint, by what its client sent.
 */
class RecordLookupTests {

	private static final String JSON = "application/json";

	@AutoClose
	private static OperatorServer server;

	@BeforeAll
	static void start() {
		server = OperatorServer.start(List.of(Shop.class));
	}

	private static HttpRequest.Builder keyed(@Nullable String caller, String path, String key) {
		return server.post(caller, path, JSON, "{}").header("Idempotency-Key", key);
	}

	private static void submit(HttpRequest.Builder request) {
		assertThat(server.send(request).statusCode()).isBetween(200, 201);
	}

	private static void assertFound(Answer record, String operation) {
		assertThat(record.status()).as(record.body()).isEqualTo(200);
		assertThat(record.text("state")).as(record.body()).isEqualTo("COMPLETED");
		assertThat(record.text("operation")).isEqualTo(operation);
		assertThat(record.json().get("attempt").asInt()).isEqualTo(1);
		assertThat(record.text("owner.node")).isNotEmpty();
	}

	private static void assertAbsent(Answer record) {
		assertThat(record.status()).as(record.body()).isEqualTo(200);
		assertThat(record.text("state")).as(record.body()).isEqualTo("ABSENT");
	}

	@Test
	void thePageIsOffByDefault() {
		assertThat(server.send(server.request("reader", "/idempotent")).statusCode()).isEqualTo(404);
	}

	@Nested
	class Tokens {

		@ParameterizedTest
		@CsvSource(nullValues = "-",
				value = { "-,/token", "ann,/token", "-,/token?operation=basket", "ann,/token?operation=basket" })
		void aTokenLeadsToTheRecord(@Nullable String caller, String path) {
			String token = token(caller, path);
			submit(server.post(caller, "/baskets", JSON, "{}").header("Idempotent-Token", token));
			assertFound(server.get("/record", "operation", "basket", "key", token, "caller",
					(caller != null) ? caller : ""), "basket");
		}

		@Test
		void anIssuedTokenIsFoundBeforeItIsUsed() {
			String token = token(null, "/token");
			assertThat(server.get("/record", "operation", "basket", "key", token).text("state")).isEqualTo("ISSUED");
		}

		@Test
		void theTokenOfAnotherCallerIsAbsent() {
			String token = token("ann", "/token");
			assertAbsent(server.get("/record", "operation", "basket", "key", token, "caller", "bob"));
		}

		@Test
		void anInvalidTokenIsRefused() {
			Answer answer = server.get("/record", "operation", "basket", "key", "<script>");
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body()).doesNotContain("script");
		}

		private static String token(@Nullable String caller, String path) {
			return server.send(server.request(caller, path).header("Accept", "text/plain")).body();
		}

	}

	@Nested
	class HeaderKeys {

		@ParameterizedTest
		@CsvSource(nullValues = "-", quoteCharacter = '\'',
				value = { "bare,bare,-", "bare,bare,ann", "\"quoted key\",\"quoted key\",ann",
						"\"spelled\",spelled,ann", "spelled2,\"spelled2\",-", "\"a\\\"b\",\"a\\\"b\",-" })
		void aKeyLeadsToTheRecord(String sent, String asked, @Nullable String caller) {
			submit(keyed(caller, "/customers/7/orders/8", sent));
			assertFound(server.get("/record", "operation", "order", "key", asked, "path", "/customers/7/orders/8",
					"caller", (caller != null) ? caller : ""), "order");
		}

		@ParameterizedTest
		@ValueSource(strings = { "/customers/7/orders/a%20b", "/customers/%E4%BD%A0/orders/1;v=1",
				"/customers/a+b/orders/%2B", "/customers/7/orders/8?debug=true" })
		void pathVariablesAreDecodedAsForARequest(String path) {
			String key = UUID.randomUUID().toString();
			submit(keyed("ann", path, key));
			assertFound(server.get("/record", "operation", "order", "key", key, "path", path, "caller", "ann"),
					"order");
		}

		@ParameterizedTest
		@ValueSource(strings = { "/files/one/a/b.txt", "/files/one/a%20b/%C3%BC;x=1", "/archive/2026/11" })
		void wildcardsUseTheWholePath(String path) {
			String key = UUID.randomUUID().toString();
			submit(keyed(null, path, key));
			assertFound(server.get("/record", "operation", "file", "key", key, "path", path), "file");
			assertAbsent(server.get("/record", "operation", "file", "key", key, "path", path + "/other"));
		}

		@Test
		void aKeyBelongsToTheMethodAndThePath() {
			String key = UUID.randomUUID().toString();
			submit(keyed(null, "/notes", key));
			assertFound(server.get("/record", "operation", "note", "key", key, "method", "POST", "path", "/notes"),
					"note");
			assertAbsent(server.get("/record", "operation", "note", "key", key, "method", "put", "path", "/notes"));
			Answer undecided = server.get("/record", "operation", "note", "key", key, "path", "/notes");
			assertThat(undecided.status()).isEqualTo(400);
			assertThat(undecided.text("error")).contains("'method'").contains("POST,PUT /notes");
		}

		@Test
		void aLookUpWithoutTheCallerSaysSo() {
			String key = UUID.randomUUID().toString();
			submit(keyed("ann", "/customers/7/orders/8", key));
			Answer record = server.get("/record", "operation", "order", "key", key, "path", "/customers/7/orders/8");
			assertAbsent(record);
			assertThat(record.text("advice")).contains("caller").doesNotContain("A submission runs it");
		}

		@Test
		void theKeyOfAnotherCallerIsAbsent() {
			String key = UUID.randomUUID().toString();
			submit(keyed("ann", "/customers/7/orders/8", key));
			assertAbsent(server.get("/record", "operation", "order", "key", key, "path", "/customers/7/orders/8",
					"caller", "bob"));
		}

	}

	@Nested
	class ContentKeys {

		@Test
		void theValueOfAnExpressionLeadsToTheRecord() {
			submit(server.request("ann", "/invoices/F%2017").PUT(HttpRequest.BodyPublishers.noBody()));
			assertFound(server.get("/record", "operation", "invoice", "key", "F 17", "caller", "ann"), "invoice");
		}

		@Test
		void wholeContentIsRefused() {
			Answer answer = server.get("/record", "operation", "form", "key", "x", "path", "/forms");
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.text("error")).contains("by its id");
		}

	}

	@Nested
	class MethodKeys {

		@Test
		void aNumberLeadsToTheRecord() {
			submit(server.post(null, "/refunds/42", JSON, "{}"));
			Answer record = server.get("/record", "operation", "refund", "key", "42");
			assertFound(record, "refund");
			assertThat(record.json().at("/owner/thisNode").asBoolean()).isTrue();
			assertThat(record.json().get("response").propertyNames()).containsExactly("bytes");
		}

		@Test
		void theJsonOfAnObjectLeadsToTheRecord() {
			submit(server.post(null, "/transfers/here/there", JSON, "{}"));
			assertFound(server.get("/record", "operation", "transfer", "key", "{\"from\":\"here\",\"to\":\"there\"}"),
					"transfer");
		}

		@Test
		void theKeyOfAMessageLeadsToTheRecordOfItsCaller() {
			submit(server.post(null, "/letters/ann/1", JSON, "{}"));
			assertFound(server.get("/record", "operation", "letter", "key", "1", "caller", "ann"), "letter");
			assertAbsent(server.get("/record", "operation", "letter", "key", "1", "caller", "bob"));
		}

		@Test
		void anOperationOfATemplateIsKnownOnceItRan() {
			submit(server.post(null, "/adjustments/1", JSON, "{}"));
			assertFound(server.get("/record", "operation", "adjustment", "key", "1"), "adjustment");
		}

		@Test
		void anOperationUnknownToThisNodeNeedsItsKind() {
			assertThat(server.get("/record", "operation", "elsewhere", "key", "1").status()).isEqualTo(400);
			assertAbsent(server.get("/record", "operation", "elsewhere", "key", "1", "entrance", "method"));
		}

	}

	@Nested
	class Hashes {

		@Test
		@ExtendWith(OutputCaptureExtension.class)
		void theHashOfALogLineLeadsToTheRecord(CapturedOutput log) {
			server.bean(LoggingSystem.class).setLogLevel("io.idempotent", LogLevel.DEBUG);
			submit(keyed("ann", "/customers/1/orders/2", UUID.randomUUID().toString()));
			String line = log.getAll().lines().filter((one) -> one.contains("'order' (key ")).findFirst().orElseThrow();
			String hash = line.replaceAll(".*'order' \\(key ([A-Za-z0-9_-]{12})\\).*", "$1");
			Answer record = server.get("/record", "id", hash);
			assertFound(record, "order");
			assertThat(record.text("hash")).isEqualTo(hash);
			assertThat(record.text("id")).startsWith(hash).hasSize(43);
			assertThat(record.text("storeKey")).endsWith(record.text("id"));
			assertFound(server.get("/record", "id", record.text("id")), "order");
		}

		@Test
		void aHashWithoutARecordIsNotFound() {
			assertThat(server.get("/record", "id", "AAAAAAAAAAAA").status()).isEqualTo(404);
			assertAbsent(server.get("/record", "id", "A".repeat(43)));
		}

		@ParameterizedTest
		@ValueSource(strings = { "AAAAAAAAAAA", "AAAAAAAAAAA*", "<script>alert(1)</script>" })
		void anInvalidHashIsRefused(String id) {
			Answer answer = server.get("/record", "id", id);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.body()).doesNotContain(id);
		}

	}

	/** Answered with the reason and the way out, and never repeated. */
	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class BadInput {

		private static final String HOSTILE = "<img src=x onerror=alert(1)>\r\nINFO forged";

		@Test
		void anUnknownOperationGetsTheKnownOnes() {
			Answer answer = server.get("/record", "operation", "odrer", "key", "1");
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.text("error")).startsWith("This node does not know the operation");
			assertThat(answer.json().get("operations").valueStream().map((name) -> name.asString())).contains("basket",
					"order", "refund", "transfer");
		}

		@Test
		void theListOfKnownOperationsIsBounded() {
			try (OperatorServer other = OperatorServer.start(List.of(Shop.class))) {
				IdempotencyTemplate template = other.bean(IdempotencyTemplate.class);
				for (int i = 0; i < 60; i++) {
					template.executeWithoutResult("generated-" + i, "1", (context) -> {
					});
				}
				Answer answer = other.get("/record", "operation", "absent", "key", "1");
				assertThat(answer.json().get("operations").size()).isEqualTo(50);
			}
		}

		@ParameterizedTest
		@ValueSource(strings = { "operation", "id", "key", "path", "method", "entrance", "limit" })
		void inputIsNotEchoed(String parameter, CapturedOutput log) {
			List<String> parameters = new ArrayList<>(List.of(parameter, HOSTILE));
			String view = parameter.equals("limit") ? "/unknown" : "/record";
			addUnlessPresent(parameters, "operation", "order");
			if (!parameter.equals("operation") && !parameter.equals("id")) {
				addUnlessPresent(parameters, "key", "1");
				addUnlessPresent(parameters, "path", "/customers/1/orders/2");
			}
			Answer answer = server.get(view, parameters.toArray(String[]::new));
			assertThat(answer.status()).as(answer.body()).isEqualTo(400);
			assertThat(answer.text("error")).isNotEmpty();
			assertThat(answer.body()).doesNotContain("onerror").doesNotContain("forged");
			assertThat(log.getAll()).doesNotContain("onerror").doesNotContain("forged");
		}

		@Test
		void anUndecodablePathIsNotEchoed(CapturedOutput log) {
			Answer answer = server.get("/record", "operation", "order", "key", "1", "path", "/customers/%zz/orders/2");
			assertThat(answer.status()).as(answer.body()).isEqualTo(400);
			assertThat(answer.text("error")).startsWith("The path has a '%' that encodes no character");
			assertThat(answer.body()).doesNotContain("%zz");
			assertThat(log.getAll()).doesNotContain("%zz");
		}

		private static void addUnlessPresent(List<String> parameters, String name, String value) {
			if (!parameters.contains(name)) {
				parameters.addAll(List.of(name, value));
			}
		}

		@ParameterizedTest
		@CsvSource({ "/record,400", "/record?operation=refund,400", "/record?key=1,400",
				"/record?operation=order&key=1,400", "/record?operation=order&key=1&path=/elsewhere,400",
				"/record?operation=order&key=1&path=/customers/1/orders/2&method=GET,400",
				"/record?operation=order&key=a%20b&path=/customers/1/orders/2,400",
				"/record?operation=order&key=1&path=/customers/1/orders/2&entrance=jms,400", "/unknown?limit=0,400",
				"/unknown?limit=501,400", "/unknown?limit=x,400", "/other,404", "/unknown/more,404" })
		void anIncompleteQueryGetsAReason(String view, int status) {
			Answer answer = server.answer(server.management("reader", view));
			assertThat(answer.status()).as(answer.body()).isEqualTo(status);
		}

		@Test
		void anUnreachableStoreGetsA503() {
			try (OperatorServer unlucky = OperatorServer.start(List.of(Shop.class),
					"idempotent.store.redis.timeout=500ms")) {
				unlucky.stopRedis();
				Answer answer = unlucky.get("/record", "operation", "refund", "key", "1");
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.text("error")).startsWith("The store or the guarded database does not respond");
				assertThat(unlucky.get("").status()).isEqualTo(200);
			}
		}

	}

	@Nested
	class OtherApplications {

		@Test
		void contextPathTenantSessionAndSignedTokensCount() {
			try (OperatorServer other = OperatorServer.start(List.of(Shop.class, Tenants.class),
					"server.servlet.context-path=/shop", "spring.mvc.servlet.path=/api",
					"idempotent.web.bind-to-session=true", "idempotent.token.signing.active-key=one",
					"idempotent.token.signing.keys.one=0123456789abcdef0123456789abcdef")) {
				assertSignedTokenLeadsToRecord(other);
				assertWildcardLeadsToRecord(other, "/shop/api/files/one/a%20b", "/shop/api/files/one/a%20b");
				assertWildcardLeadsToRecord(other, "/shop/api/archive/1", "/archive/1");
			}
		}

		private static void assertSignedTokenLeadsToRecord(OperatorServer other) {
			HttpResponse<String> token = other
				.send(other.request("ann", "/shop/api/token").header("Accept", "text/plain").header("X-Tenant", "t1"));
			String cookie = token.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
			HttpRequest.Builder basket = other.post("ann", "/shop/api/baskets", JSON, "{}")
				.header("Idempotent-Token", token.body())
				.header("X-Tenant", "t1")
				.header("Cookie", cookie);
			assertThat(other.send(basket).statusCode()).isEqualTo(201);
			String session = cookie.replaceAll("[^=]*=", "");
			assertFound(other.get("/record", "operation", "basket", "key", token.body(), "caller", "ann", "tenant",
					"t1", "session", session), "basket");
			assertThat(other
				.get("/record", "operation", "basket", "key", token.body(), "caller", "ann", "session", session)
				.text("error")).contains("not issued to this caller");
		}

		private static void assertWildcardLeadsToRecord(OperatorServer other, String sent, String asked) {
			String key = UUID.randomUUID().toString();
			assertThat(other.send(other.post(null, sent, JSON, "{}").header("Idempotency-Key", key)).statusCode())
				.isEqualTo(201);
			assertFound(other.get("/record", "operation", "file", "key", key, "path", asked), "file");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		CallerResolver callerResolver() {
			return (request) -> CallerResolver.principal(request).inTenant(request.getHeader("X-Tenant"));
		}

	}

}
