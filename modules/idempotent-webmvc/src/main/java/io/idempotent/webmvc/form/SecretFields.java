package io.idempotent.webmvc.form;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognises by their names the fields that a page must not show again: passwords, codes
 * and the numbers of cards.
 */
final class SecretFields {

	private static final Pattern PART = Pattern
		.compile("passw|passphrase|passcode|secret|cvv|cvc|credit.?card|card.?n");

	private static final Set<String> WORDS = Set.of("pass", "pwd", "pin", "otp", "totp", "tan", "pan", "csc", "ssn");

	private static final Pattern BOUNDARY = Pattern.compile("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])");

	private final List<String> names;

	SecretFields(List<String> names) {
		this.names = names;
	}

	boolean include(String field) {
		return this.names.stream().anyMatch(field::equalsIgnoreCase)
				|| PART.matcher(field.toLowerCase(Locale.ROOT)).find()
				|| BOUNDARY.splitAsStream(field).anyMatch((word) -> WORDS.contains(word.toLowerCase(Locale.ROOT)));
	}

}
