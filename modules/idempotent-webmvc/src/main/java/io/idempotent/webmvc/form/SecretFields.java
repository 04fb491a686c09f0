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

	/**
	 * In lower case, with a separator before each hump. Where a separator may stand, a
	 * letter may not: "shippingcode".
	 */
	private static final Pattern PART = Pattern.compile("passw|passphrase|passcode|passkey|secret|kennwort"
			+ "|mot[^a-z]?de[^a-z]?passe|(?<!de|re)senha|contrase(?:n\\u0303?|\\u00f1)a"
			+ "|cvv|cvc|credit.?card|card.?n|(?<![a-z])cc[^a-z]?num|pin[^a-z]?code"
			+ "|(?:security|mfa|auth|verification)[^a-z]?code|api[^a-z]?key|access[^a-z]?token");

	private static final Set<String> WORDS = Set.of("pass", "passe", "pwd", "pin", "otp", "totp", "tan", "pan", "csc",
			"ssn");

	private static final Pattern HUMP = Pattern.compile("(?<=[a-z])(?=[A-Z])");

	private static final Pattern BOUNDARY = Pattern.compile("[^a-z]+");

	private final List<String> names;

	SecretFields(List<String> names) {
		this.names = names;
	}

	boolean include(String field) {
		String name = HUMP.matcher(field).replaceAll("-").toLowerCase(Locale.ROOT);
		return this.names.stream().anyMatch(field::equalsIgnoreCase) || PART.matcher(name).find()
				|| BOUNDARY.splitAsStream(name).anyMatch(WORDS::contains);
	}

}
