package io.idempotent.support;

import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Timestamp;
import java.util.Date;
import java.util.TimeZone;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyExpressionTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			`#id.toLowerCase()` | it calls a method
			`'a' + #id?.toLowerCase()` | it calls a method
			`{'a', #id.trim()}` | it calls a method
			`#id != null ? #id : 'a'.concat('b')` | it calls a method
			`#id()` | it calls a function
			`@foo.bar` | it names a bean
			`T(java.lang.System).nanoTime()` | it names a type
			`#id instanceof T(String)` | it names a type
			`new java.util.Date()` | it calls a constructor
			`new int[3]` | it calls a constructor
			`#id = 'a'` | it assigns
			`#id++` | it assigns
			`id` | it reads 'id' without an object
			`id.length` | it reads 'id' without an object
			`'a' + id` | it reads 'id' without an object
			`{'a', id.length}` | it reads 'id' without an object
			""")
	void anExpressionThatNeverHasAValueIsRefused(String text, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyExpression.parse(text, method()))
			.withMessageContainingAll("\"" + text + "\"", reason,
					reason.endsWith("without an object") ? "#id" : "a key can only read properties");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#id", "#id?.bytes", "#id + '-' + 1", "{#id, 'a'}", "{a: #id}", "#id matches 'a+'",
			"#id ?: 'none'", "{#id}.![bytes]", "{{a: 1}}.?[a == 1]", "{a: 1}[a]", "'constant'" })
	void anExpressionThatReadsAnArgumentIsAccepted(String text) {
		assertThat(KeyExpression.parse(text, method()).text()).isEqualTo(text);
	}

	@Test
	void anArgumentWithoutANameIsNoVariable() {
		assertThat(KeyExpression.parse("#id", method()).evaluate(new Object[] { "7", "continuation" })).isEqualTo("7");
	}

	/** {@link Date#toString()} has neither. */
	@Test
	void theTextOfADateHasItsMillisecondsAndNoTimeZone() {
		assertThat(KeyExpression.textOf(new Date(1_500))).isEqualTo("1970-01-01T00:00:01.500Z")
			.isEqualTo(KeyExpression.textOf(new Timestamp(1_500)));
		assertThat(KeyExpression.textOf(java.sql.Date.valueOf("2026-11-30"))).isEqualTo("2026-11-30");
	}

	@Test
	void theTextOfAnAddressHasNoNameThatWasLookedUp() throws UnknownHostException {
		byte[] address = { 10, 0, 0, 1 };
		assertThat(KeyExpression.textOf(InetAddress.getByAddress("shop", address))).isEqualTo("10.0.0.1")
			.isEqualTo(KeyExpression.textOf(InetAddress.getByAddress(address)));
	}

	@Test
	void theTextOfATimeZoneHasNoRulesThatAJvmUpdates() {
		assertThat(KeyExpression.textOf(TimeZone.getTimeZone("Europe/Berlin"))).isEqualTo("Europe/Berlin");
	}

	private static Method method() {
		try {
			return KeyExpressionTests.class.getDeclaredMethod("run", String.class);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SuppressWarnings("unused")
	private static void run(String id) {
	}

}
