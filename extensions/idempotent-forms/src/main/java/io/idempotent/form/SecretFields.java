package io.idempotent.form;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Recognises by name what a page must not show again: passwords, codes, card numbers. */
final class SecretFields {

	/**
	 * In lower case, with a separator at each word boundary. A word must not be part of a
	 * longer one: "shippingcode".
	 */
	private static final Pattern PART = Pattern.compile("passw|passphrase|passcode|passkey|secret|credential|kennwort"
			+ "|mot[^a-z]?de[^a-z]?passe|(?<!de|re)senha|contrase(?:n\\u0303?|\\u00f1)a"
			+ "|\\u5bc6[\\u7801\\u78bc]|\\u53e3\\u4ee4|(?:\\u9a8c\\u8bc1|\\u9a57\\u8b49)[\\u7801\\u78bc]"
			+ "|cvv|cvc|cvn|credit.?card|card.?n|(?<![a-z])cc[^a-z]?num|pin[^a-z]?code"
			+ "|(?:security|mfa|sms|auth|verification)[^a-z]?code|(?:api|private|signing|encryption)[^a-z]?key"
			+ "|(?<![a-z])one[^a-z]?time[^a-z]?(?:code|pass|pin)|[a-z][^a-z]?token(?![a-z])");

	private static final Set<String> WORDS = Set.of("pass", "passe", "pw", "pwd", "psw", "pswd", "pin", "otp", "totp",
			"tan", "pan", "csc", "ssn", "jwt");

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
