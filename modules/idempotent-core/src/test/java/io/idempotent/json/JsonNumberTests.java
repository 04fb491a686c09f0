package io.idempotent.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/**
 * Numbers of one value have one form, and no others.
 */
class JsonNumberTests {

	@ParameterizedTest
	@CsvSource({ "1, 1.0", "1, 1e0", "100, 1E2", "100, 1e+2", "0.001, 1e-3", "-1.50, -15e-1", "0, -0.00e7", "0, 0.0",
			"12000, 1.2e4", "1e1000000000000, 10e999999999999" })
	void equalValuesHaveOneForm(String one, String other) {
		assertThat(JsonNumber.canonical(one)).isEqualTo(JsonNumber.canonical(other));
	}

	@ParameterizedTest
	@CsvSource({ "1, 2", "1, -1", "1, 10", "0.1, 0.01", "1e2, 1e3", "12, 1.2", "1, 1.0000000000000000000000001" })
	void differentValuesHaveDifferentForms(String one, String other) {
		assertThat(JsonNumber.canonical(one)).isNotEqualTo(JsonNumber.canonical(other));
	}

	@Test
	void theFormDependsOnTheValueOnly() {
		Random random = new Random(63);
		for (int i = 0; i < 2000; i++) {
			String number = (random.nextBoolean() ? "-" : "") + random.nextInt(50) + (random.nextBoolean() ? ".0" : "")
					+ (random.nextBoolean() ? "e" + (random.nextInt(7) - 3) : "");
			String other = Integer.toString(random.nextInt(2000) - 1000);
			boolean equal = new BigDecimal(number).compareTo(new BigDecimal(other)) == 0;
			assertThat(JsonNumber.canonical(number).equals(JsonNumber.canonical(other))).as(number + " and " + other)
				.isEqualTo(equal);
		}
	}

	@Test
	void aNumberOfAMillionDigitsTakesLinearTime() {
		String digits = "7".repeat(1_000_000);
		assertTimeout(Duration.ofSeconds(5), () -> {
			assertThat(JsonNumber.canonical(digits)).hasSize(1_000_002);
			assertThat(JsonNumber.canonical("1e" + digits)).startsWith("1E777");
		});
	}

	@Test
	void onlyNumbersAreChanged() {
		JsonCanonicalizer byValue = new JsonCanonicalizer(100, true);
		assertThat(byValue.canonicalize(bytes("{\"a\":1.0,\"b\":[\"1.0\",null]}")))
			.isEqualTo(byValue.canonicalize(bytes("{\"b\":[\"1.0\",null],\"a\":1}")))
			.isNotEqualTo(byValue.canonicalize(bytes("{\"b\":[\"1\",null],\"a\":1}")));
		JsonCanonicalizer asWritten = new JsonCanonicalizer(100, false);
		assertThat(asWritten.canonicalize(bytes("1.0"))).isNotEqualTo(asWritten.canonicalize(bytes("1")));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
