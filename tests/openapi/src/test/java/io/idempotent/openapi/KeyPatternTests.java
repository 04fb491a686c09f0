package io.idempotent.openapi;

import java.util.Random;

import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.webmvc.internal.key.KeyReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented patterns of keys and tokens match exactly what {@link KeyReader}
 * accepts, except for the parameters of a key in quotes.
 */
class KeyPatternTests {

	private static final int TEXTS = 20_000;

	private static final String CHARACTERS = "ab~!#+-. ,;\"\\\u007f\u00e9\t";

	private final Random random = new Random(13);

	@ParameterizedTest
	@EnumSource
	void matchTheAcceptedKeys(KeySyntax syntax) {
		String pattern = KeyPatterns.header(syntax);
		int accepted = 0;
		for (int i = 0; i < TEXTS; i++) {
			String text = text();
			boolean reads = reads(() -> KeyReader.key(text, syntax, "operation"));
			accepted += reads ? 1 : 0;
			assertThat(text.matches(pattern)).as(text)
				.isEqualTo(reads && (syntax == KeySyntax.OPAQUE || !hasParameters(text)));
		}
		assertThat(accepted).isBetween(TEXTS / 20, TEXTS - TEXTS / 20);
	}

	@Test
	void matchTheAcceptedTokens() {
		for (int i = 0; i < TEXTS; i++) {
			String text = text();
			assertThat(text.matches(KeyPatterns.TOKEN)).as(text)
				.isEqualTo(reads(() -> KeyReader.token(text, "operation")));
		}
	}

	@Test
	void matchTheAcceptedLengths() {
		KeySyntax syntax = KeySyntax.QUOTED_OR_BARE;
		String pattern = KeyPatterns.header(syntax);
		for (String text : new String[] { "k".repeat(255), "\"" + "k".repeat(255) + "\"",
				"\"" + "\\\\".repeat(255) + "\"" }) {
			assertThat(text).matches(pattern).hasSizeLessThanOrEqualTo(KeyPatterns.maxHeaderLength(syntax));
			assertThat(reads(() -> KeyReader.key(text, syntax, "operation"))).isTrue();
			String longer = text.replaceFirst("[k]|\\\\\\\\", "$0$0");
			assertThat(longer).doesNotMatch(pattern);
			assertThat(reads(() -> KeyReader.key(longer, syntax, "operation"))).isFalse();
		}
	}

	/**
	 * A text of few characters, half of them in quotes, none with space around it.
	 */
	private String text() {
		StringBuilder text = new StringBuilder();
		int length = this.random.nextInt(6);
		for (int i = 0; i < length; i++) {
			text.append(CHARACTERS.charAt(this.random.nextInt(CHARACTERS.length())));
		}
		return this.random.nextBoolean() ? "\"" + text + "\"" : text.toString().strip();
	}

	private static boolean hasParameters(String text) {
		return text.startsWith("\"") && !text.matches(KeyPatterns.header(KeySyntax.QUOTED_OR_BARE))
				&& text.matches("\"([^\"\\\\]|\\\\.)+\"\\s*;.*");
	}

	private static boolean reads(Runnable reader) {
		try {
			reader.run();
			return true;
		}
		catch (SubmissionRefusedException ex) {
			return false;
		}
	}

}
