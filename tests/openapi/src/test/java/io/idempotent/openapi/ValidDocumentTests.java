package io.idempotent.openapi;

import java.util.List;

import io.swagger.v3.parser.OpenAPIV3Parser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A document of OpenAPI 3.0 with names that the application has set. That of version 3.1
 * is read by {@link DocumentTests}.
 */
class ValidDocumentTests {

	private static String text = "";

	private static Document document;

	@BeforeAll
	static void start() {
		try (RunningShop shop = RunningShop.startWithoutServer("springdoc.api-docs.version=openapi_3_0",
				"idempotent.web.key-header=Request-Id", "idempotent.token.header=Once",
				"idempotent.web.problem-base=https://example.com/problems#")) {
			text = shop.get("/v3/api-docs", "en").body();
		}
		document = Document.parse(text);
	}

	@Test
	void isValid() {
		assertThat(document.root().path("openapi").asString()).startsWith("3.0.");
		assertThat(new OpenAPIV3Parser().readContents(text).getMessages()).isEqualTo(List.of());
		assertThat(document.invalidExamples()).isEmpty();
	}

	@Test
	void hasTypes() {
		assertThat(document.root().path("components").path("schemas").path("IdempotencyProblem").path("type"))
			.hasToString("\"object\"");
		assertThat(document.header("/payments", "Request-Id").path("schema").path("type").asString())
			.isEqualTo("string");
	}

	@Test
	void usesTheNamesOfTheSettings() {
		assertThat(document.header("/orders", "Once").path("required").asBoolean()).isTrue();
		assertThat(document.post("/forms").path("requestBody").toString()).contains("\"_idempotentToken\"");
		assertThat(document.post("/payments").path("responses").path("201").path("headers").has("Idempotency-Replayed"))
			.isTrue();
		assertThat(document.post("/payments").toString()).doesNotContain("Idempotency-Key")
			.contains("https://example.com/problems#key-missing");
	}

}
