package io.idempotent.webmvc;

import java.nio.charset.StandardCharsets;

import io.idempotent.webmvc.OutcomeClassifier.OutcomeClass;
import io.idempotent.webmvc.OutcomeClassifier.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What an envelope says of the effect of an operation.
 */
class JsonEnvelopeTests {

	private final OutcomeClassifier classifier = OutcomeClassifier.jsonField("code", "0", "200");

	private @Nullable OutcomeClass classify(String body) {
		return classify(200, "application/json", body);
	}

	private @Nullable OutcomeClass classify(int status, @Nullable String type, String body) {
		return this.classifier.classify("order", new Response(status, type, body.getBytes(StandardCharsets.UTF_8)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"code\":200,\"msg\":\"ok\"}", "{\"code\":\"0\"}", "{\"msg\":\"ok\",\"code\":0}",
			"{\"data\":{\"code\":500},\"code\":200}" })
	void successIsLeftToTheDefault(String body) {
		assertThat(classify(body)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"code\":500,\"msg\":\"no\"}", "{\"msg\":\"no\",\"data\":[{\"code\":200}],\"code\":601}",
			"{\"code\":\"E1\"}", "{\"code\":null}", "{\"code\":false}", "{\"code\":500,\"data\":" })
	void anyOtherValueTookNoEffect(String body) {
		assertThat(classify(body)).isEqualTo(OutcomeClass.NO_EFFECT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"msg\":\"no code\"}", "[{\"code\":500}]", "500", "", "{", "{\"a\":[", "not JSON",
			"{\"code\":{\"code\":500}}" })
	void everythingElseIsLeftToTheDefault(String body) {
		assertThat(classify(body)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "404,application/json", "500,application/json", "302,application/json", "200,text/html", "200," })
	void onlyJsonWithSuccessIsRead(int status, @Nullable String type) {
		assertThat(classify(status, type, "{\"code\":500}")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json;charset=UTF-8", "APPLICATION/JSON", "application/vnd.shop+json" })
	void everyKindOfJsonIsRead(String type) {
		assertThat(classify(200, type, "{\"code\":500}")).isEqualTo(OutcomeClass.NO_EFFECT);
	}

	@Test
	void anUnbufferedBodyIsLeftToTheDefault() {
		assertThat(this.classifier.classify("order", new Response(200, "application/json", null))).isNull();
	}

	@Test
	void aDeeplyNestedBodyIsLeftToTheDefault() {
		assertThat(classify("{\"data\":" + "[".repeat(100_000))).isNull();
	}

	@Test
	void aBooleanFieldWorksToo() {
		OutcomeClassifier success = OutcomeClassifier.jsonField("success", "true");
		byte[] failed = "{\"success\":false}".getBytes(StandardCharsets.UTF_8);
		assertThat(success.classify("order", new Response(200, "application/json", failed)))
			.isEqualTo(OutcomeClass.NO_EFFECT);
	}

	@Test
	void itNeedsAFieldAndAValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> OutcomeClassifier.jsonField("code"))
			.withMessageContaining("jsonField(\"code\", \"200\")");
		assertThatIllegalArgumentException().isThrownBy(() -> OutcomeClassifier.jsonField("", "200"));
	}

}
