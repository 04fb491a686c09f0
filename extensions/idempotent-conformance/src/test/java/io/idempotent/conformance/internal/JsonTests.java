package io.idempotent.conformance.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The JSON texts of the kit.
 */
class JsonTests {

	@Test
	void aTextIsReadAndWrittenInItsOrder() {
		String text = "{\"b\":[1,-2.50,1e3,true,null,[],{}],\"a\":\"x\\\"\\\\\\u00e9\"}";
		assertThat(Json.write(Json.object(" " + text.replace(",", " , ") + "\n"))).isEqualTo(text);
	}

	@Test
	void whiteSpaceIsWrittenBesideSeparatorsOnly() {
		String text = "{\":a\":[\":b\",\",c\"],\"d\":1}";
		assertThat(Json.write(Json.object(text), " \t"))
			.isEqualTo("{\":a\" \t: \t[\":b\" \t, \t\",c\"] \t, \t\"d\" \t: \t1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "{\"a\"}", "{\"a\":1", "[1", "nonsense", "{} {}", "\"a", "01x", "\"\\u00\"" })
	void whatIsNoJsonIsNull(String text) {
		assertThat(Json.read(text)).isNull();
		assertThat(Json.object(text)).isEmpty();
	}

}
