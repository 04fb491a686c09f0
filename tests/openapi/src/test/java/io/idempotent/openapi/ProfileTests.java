package io.idempotent.openapi;

import java.net.http.HttpResponse;
import java.util.Map;

import io.idempotent.IdempotencyProfile;
import io.swagger.v3.parser.OpenAPIV3Parser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The document follows the profile, as the responses do.
 */
class ProfileTests {

	private static final String PATH = "/payments";

	private static final JsonMapper JSON = JsonMapper.builder().build();

	@ParameterizedTest
	@EnumSource(names = "IDEMPOTENT", mode = EnumSource.Mode.EXCLUDE)
	void isThatOfTheResponses(IdempotencyProfile profile) {
		try (RunningShop shop = RunningShop.startWithoutServer("idempotent.web.profile=" + profile)) {
			Document document = shop.document();
			assertThat(new OpenAPIV3Parser().readContents(document.root().toString()).getMessages()).isEmpty();
			assertThat(document.invalidExamples()).isEmpty();
			checkRefusal(document, keyReused(shop));
			checkMissingKey(shop, document);
			checkReplay(shop, document, profile);
		}
	}

	private static HttpResponse<String> keyReused(RunningShop shop) {
		Submission first = first(shop);
		shop.send(first);
		return shop.send(first.withSku("another"));
	}

	private static void checkRefusal(Document document, HttpResponse<String> actual) {
		JsonNode body = JSON.readTree(actual.body());
		String code = body.has("error") ? body.path("error").path("code").asString() : body.path("code").asString();
		JsonNode response = document.post(PATH).path("responses").path("" + actual.statusCode());
		String contentType = actual.headers().firstValue("Content-Type").orElseThrow();
		JsonNode documented = response.path("content").path(contentType);
		assertThat(documented.path("examples").path(code).path("value")).as(code).isEqualTo(body);
		assertThat(document.validate(documented.path("schema"), body)).isEmpty();
		assertThat(document.extension(PATH).path("problems")).contains(JSON.valueToTree(code));
		assertThat(response.path("headers").has("Idempotency-Key"))
			.isEqualTo(actual.headers().firstValue("Idempotency-Key").isPresent());
	}

	private static void checkMissingKey(RunningShop shop, Document document) {
		HttpResponse<String> actual = shop.send(new Submission(PATH, "tea", Map.of()));
		boolean refused = actual.statusCode() == HttpStatus.BAD_REQUEST.value();
		assertThat(actual.statusCode()).isIn(HttpStatus.BAD_REQUEST.value(), HttpStatus.CREATED.value());
		assertThat(document.header(PATH, "Idempotency-Key").path("required").asBoolean(!refused)).isEqualTo(refused);
		assertThat(document.problems(PATH).stream().anyMatch((code) -> code.matches("key-missing|.*_required")))
			.isEqualTo(refused);
	}

	private static void checkReplay(RunningShop shop, Document document, IdempotencyProfile profile) {
		Submission first = first(shop);
		shop.send(first);
		HttpResponse<String> replay = shop.send(first);
		JsonNode headers = document.post(PATH).path("responses").path("" + replay.statusCode()).path("headers");
		headers.propertyNames().forEach((name) -> assertThat(replay.headers().firstValue(name)).as(name).isPresent());
		assertThat(headers.propertyNames()).contains(profile.protocol().replayedHeader());
		assertThat(headers.has("Idempotency-Key"))
			.isEqualTo(replay.headers().firstValue("Idempotency-Key").isPresent());
	}

	/**
	 * A key that matches the documented pattern, in quotes if it must have them.
	 */
	private static Submission first(RunningShop shop) {
		Submission first = shop.first(PATH);
		String key = "\"" + first.headers().get("Idempotency-Key") + "\"";
		assertThat(shop.document()
			.validate(shop.document().header(PATH, "Idempotency-Key").path("schema"), JSON.valueToTree(key))).isEmpty();
		return first.with("Idempotency-Key", key);
	}

}
