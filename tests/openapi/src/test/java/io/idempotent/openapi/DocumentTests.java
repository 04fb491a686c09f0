package io.idempotent.openapi;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.swagger.v3.parser.OpenAPIV3Parser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the OpenAPI document promises of idempotent operations is what they do.
 */
@Tag("slow")
class DocumentTests {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static RunningShop shop;

	private static RunningShop withoutStore;

	private static Document document;

	@BeforeAll
	static void start() {
		shop = RunningShop.start();
		withoutStore = RunningShop.startWithoutServer("spring.data.redis.port=1",
				"idempotent.store.redis.timeout=500ms");
		document = shop.document();
	}

	@AfterAll
	static void stop() {
		withoutStore.close();
		shop.close();
	}

	@Test
	void isValid() {
		assertThat(document.root().path("openapi").asString()).startsWith("3.1.");
		assertThat(new OpenAPIV3Parser().readContents(document.root().toString()).getMessages()).isEqualTo(List.of());
		assertThat(document.invalidExamples()).isEmpty();
		assertThat(document.root().path("components").path("schemas").path("IdempotencyProblem").path("type"))
			.hasToString("\"object\"");
	}

	@Nested
	class EachDocumentedProblem {

		@TestFactory
		Stream<DynamicTest> isWhatTheOperationResponds() {
			return document.idempotentPaths()
				.stream()
				.flatMap((path) -> document.problems(path)
					.stream()
					.map((code) -> DynamicTest.dynamicTest(path + " " + code, () -> provoke(path, code))));
		}

		private void provoke(String path, String code) {
			HttpResponse<String> actual = new Provocations(shop, withoutStore).provoke(path, code);
			JsonNode response = document.response(path, code);
			assertThat(document.post(path).path("responses").path("" + actual.statusCode()))
				.as(actual.statusCode() + " " + actual.body())
				.isEqualTo(response);
			JsonNode body = JSON.readTree(actual.body());
			assertThat(body).isEqualTo(Document.problem(response).path("examples").path(code).path("value"));
			assertThat(document.validate(Document.problem(response).path("schema"), body)).isEmpty();
			assertThat(actual.headers().firstValue("Content-Type")).contains("application/problem+json");
			actual.headers()
				.firstValue("Retry-After")
				.ifPresent((seconds) -> assertThat(document
					.validate(response.path("headers").path("Retry-After").path("schema"), JSON.readTree(seconds)))
					.isEmpty());
		}

	}

	@Nested
	class Problems {

		@Test
		void areListedInTheExtension() {
			for (String path : document.idempotentPaths()) {
				Set<String> listed = new TreeSet<>();
				document.extension(path).path("problems").forEach((code) -> listed.add(code.asString()));
				assertThat(document.problems(path)).as(path).isEqualTo(listed);
			}
		}

		@Test
		void dependOnTheKeySource() {
			assertThat(document.problems("/payments")).containsExactlyInAnyOrder("key-missing", "key-malformed",
					"key-reused", "in-progress", "response-unavailable", "body-too-large", "store-unavailable");
			assertThat(document.problems("/orders")).contains("token-unknown");
			assertThat(document.problems("/coupons")).contains("key-missing", "key-reused")
				.doesNotContain("key-malformed", "token-unknown");
		}

		@Test
		void dependOnThePolicy() {
			assertThat(document.problems("/forms")).contains("duplicate").doesNotContain("response-unavailable");
			assertThat(document.problems("/transfers")).contains("outcome-unknown").doesNotContain("store-unavailable");
			assertThat(document.problems("/votes")).containsExactlyInAnyOrder("duplicate", "body-too-large",
					"store-unavailable");
		}

		@Test
		void dependOnTheRequest() {
			assertThat(document.problems("/pings")).doesNotContain("body-too-large");
		}

	}

	@Nested
	class Keys {

		@Test
		void areHeadersWithAForm() {
			JsonNode header = document.header("/payments", "Idempotency-Key");
			assertThat(header.path("required").asBoolean()).isTrue();
			for (String accepted : List.of("8e03978e-40d5", "a;b", "\"" + "k".repeat(255) + "\"")) {
				assertThat(document.validate(header.path("schema"), JSON.valueToTree(accepted))).as(accepted).isEmpty();
			}
			for (String refused : List.of("one two", "a,b", "k".repeat(256), "\"open")) {
				assertThat(document.validate(header.path("schema"), JSON.valueToTree(refused))).as(refused)
					.isNotEmpty();
			}
		}

		@Test
		void areFieldsOfForms() {
			JsonNode form = document.post("/forms")
				.path("requestBody")
				.path("content")
				.path("application/x-www-form-urlencoded")
				.path("schema");
			assertThat(form.toString()).contains("\"_idempotentToken\"").contains("\"sku\"");
			assertThat(document.header("/forms", "Idempotent-Token").path("required").asBoolean()).isFalse();
			assertThat(document.header("/orders", "Idempotent-Token").path("required").asBoolean()).isTrue();
		}

		@Test
		void areAbsentWhereTheContentIsTheKey() {
			assertThat(document.post("/coupons").has("parameters")).isFalse();
			assertThat(document.post("/votes").has("parameters")).isFalse();
		}

		@Test
		void areAbsentFromSafeRequestsToAnAnnotatedClass() {
			assertThat(document.header("/baskets", "Idempotency-Key").path("required").asBoolean()).isTrue();
			JsonNode get = document.get("/baskets");
			assertThat(get.path("responses").propertyNames()).contains("200").doesNotContain("400");
			assertThat(get.has("parameters")).isFalse();
			assertThat(get.has("x-idempotent")).isFalse();
			assertThat(shop.get("/baskets", "en").statusCode()).isEqualTo(200);
		}

		@Test
		void areOptionalWhereAConditionDecides() {
			assertThat(document.header("/gifts", "Idempotency-Key").path("required").asBoolean(true)).isFalse();
			assertThat(document.problems("/gifts")).contains("key-missing");
		}

		@Test
		void areIssuedByTheTokenEndpoint() {
			JsonNode token = document.root().path("paths").path("/token").path("get");
			assertThat(token.path("description").asString()).contains("Idempotent-Token");
			JsonNode schema = token.path("responses")
				.path("200")
				.path("content")
				.path("application/json")
				.path("schema");
			JsonNode issued = JSON.readTree(shop.get("/token", "en").body());
			assertThat(document.validate(schema, issued)).isEmpty();
			assertThat(token.path("responses").path("200").path("content").has("text/plain")).isTrue();
			assertThat(token.path("responses").has("503")).isTrue();
			assertThat(token.has("x-idempotent")).isFalse();
		}

	}

	@Nested
	class Replays {

		@Test
		void haveADocumentedHeader() {
			JsonNode header = document.post("/payments").path("responses").path("201").path("headers");
			Submission submission = shop.first("/payments");
			shop.send(submission);
			HttpResponse<String> replay = shop.send(submission);
			assertThat(replay.statusCode()).isEqualTo(201);
			String value = replay.headers().firstValue("Idempotency-Replayed").orElseThrow();
			assertThat(document.validate(header.path("Idempotency-Replayed").path("schema"), JSON.valueToTree(value)))
				.isEmpty();
		}

		@Test
		void areNotDocumentedWhereNothingIsReplayed() {
			assertThat(document.post("/forms").path("responses").path("200").has("headers")).isFalse();
		}

		@Test
		void areDocumentedForErrorsThatAreReplayed() {
			assertThat(document.post("/orders").path("responses").path("409").path("headers").propertyNames())
				.contains("Idempotency-Replayed");
			assertThat(document.post("/payments").path("responses").path("409").path("headers").propertyNames())
				.doesNotContain("Idempotency-Replayed");
		}

	}

	@Nested
	class Lifetimes {

		private static final String HEADER = "Idempotency-TTL";

		private JsonNode documented(String path, String status) {
			return document.post(path).path("responses").path(status).path("headers").path(HEADER);
		}

		@Test
		void areHeadersOfResponsesThatAreRecorded() {
			HttpResponse<String> first = shop.send(shop.first("/payments"));
			JsonNode seconds = JSON.readTree(first.headers().firstValue(HEADER).orElseThrow());
			assertThat(seconds.asLong()).isEqualTo(Duration.ofDays(2).toSeconds());
			JsonNode header = documented("/payments", "201");
			assertThat(document.validate(header.path("schema"), seconds)).isEmpty();
			assertThat(document.validate(header.path("schema"), JSON.readTree("-1"))).isNotEmpty();
			assertThat(header.path("description").asString()).contains("`Idempotency-Key`");
		}

		@Test
		void areHeadersOfTheRefusalOfADuplicate() {
			assertThat(documented("/payments", "409").isMissingNode()).isFalse();
			assertThat(documented("/payments", "422").isMissingNode()).isTrue();
		}

		@Test
		void areAbsentWithoutAHeaderKey() {
			for (String path : List.of("/orders", "/forms", "/coupons", "/votes")) {
				assertThat(document.post(path).toString()).as(path).doesNotContain(HEADER);
			}
		}

	}

	@Nested
	class Retention {

		@Test
		void isInTheExtensionAndTheDescription() {
			assertThat(Duration.parse(document.extension("/payments").path("retention").asString()))
				.isEqualTo(Duration.ofDays(2));
			assertThat(document.post("/payments").path("description").asString()).contains("within 2d");
			assertThat(document.extension("/payments").path("whenCompleted").asString()).isEqualTo("replay");
			assertThat(document.extension("/transfers").propertyNames()).contains("whenInProgress")
				.doesNotContain("whenUnknown", "whenStoreFails");
		}

	}

	@Nested
	class WhatTheApplicationDocuments {

		@Test
		void staysBesideTheProblems() {
			JsonNode conflict = document.post("/refunds").path("responses").path("409");
			assertThat(conflict.path("description").asString()).startsWith("The refund was refused by the bank.")
				.contains("in-progress");
			assertThat(Document.problem(conflict).path("schema").path("anyOf")).hasSize(2);
			JsonNode parameters = document.post("/refunds").path("parameters");
			assertThat(parameters).hasSize(1);
			assertThat(parameters.get(0).path("schema").has("pattern")).isTrue();
		}

		@Test
		void ofSharedResponsesIsNotChangedElsewhere() {
			JsonNode get = document.root().path("paths").path("/stock").path("get");
			assertThat(get.path("responses").path("409").path("content").propertyNames())
				.doesNotContain("application/problem+json");
			assertThat(document.post("/payments").path("responses").path("409").path("content").propertyNames())
				.hasSize(2);
			assertThat(get.has("x-idempotent")).isFalse();
		}

		@Test
		void doesNotContainArgumentsOfTheLibrary() {
			assertThat(document.root().toString()).doesNotContain("IdempotencyContext").doesNotContain("derivedKey");
		}

	}

	@Nested
	class Texts {

		@Test
		void areInTheLanguageOfTheReader() {
			Document chinese = Document.parse(shop.get("/v3/api-docs", "zh-CN").body());
			assertThat(chinese.header("/payments", "Idempotency-Key").path("description").asString()).contains("随机");
			assertThat(Document.problem(chinese.response("/payments", "in-progress"))
				.path("examples")
				.path("in-progress")
				.path("summary")
				.asString()).isEqualTo("正在处理");
			assertThat(document.header("/payments", "Idempotency-Key").path("description").asString())
				.contains("random UUID");
		}

	}

}
