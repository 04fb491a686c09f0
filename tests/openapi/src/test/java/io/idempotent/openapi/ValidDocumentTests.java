package io.idempotent.openapi;

import java.util.List;

import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The document is valid in each version of OpenAPI, and uses the names of the settings.
 */
class ValidDocumentTests {

	@ParameterizedTest
	@CsvSource({ "openapi_3_0, 3.0.1", "openapi_3_1, 3.1.0" })
	void isValid(String version, String number) {
		try (RunningShop shop = RunningShop.start("springdoc.api-docs.version=" + version,
				"idempotent.web.key-header=Request-Id", "idempotent.token.parameter=once",
				"idempotent.token.header=Once", "idempotent.web.replayed-header=Again",
				"idempotent.web.problem-base=https://example.com/problems#")) {
			String text = shop.get("/v3/api-docs", "en").body();
			SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(text);
			Document document = Document.parse(text);
			assertThat(parsed.getMessages()).isEqualTo(List.of());
			assertThat(document.root().path("openapi").asString()).isEqualTo(number);
			assertThat(document.root().path("components").path("schemas").path("IdempotencyProblem").path("type"))
				.hasToString("\"object\"");
			usesTheNamesOfTheSettings(document);
			everyExampleIsValid(document);
		}
	}

	private static void usesTheNamesOfTheSettings(Document document) {
		assertThat(document.header("/payments", "Request-Id").path("schema").path("type").asString())
			.isEqualTo("string");
		assertThat(document.header("/orders", "Once").path("required").asBoolean()).isTrue();
		assertThat(document.post("/forms").path("requestBody").toString()).contains("\"once\"");
		assertThat(document.post("/payments").path("responses").path("201").path("headers").has("Again")).isTrue();
		assertThat(document.root().toString()).doesNotContain("Idempotency-Key\"")
			.contains("https://example.com/problems#key-missing");
	}

	private static void everyExampleIsValid(Document document) {
		for (String path : document.idempotentPaths()) {
			for (String code : document.problems(path)) {
				JsonNode problem = Document.problem(document.response(path, code));
				assertThat(document.validate(problem.path("schema"), problem.path("examples").path(code).path("value")))
					.as(path + " " + code)
					.isEmpty();
			}
		}
	}

}
