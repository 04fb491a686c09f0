package io.idempotent.webmvc.internal.key;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** A quoted string of a structured header field (RFC 9651), with optional parameters. */
final class StructuredString {

	/** Longer parameters are malformed: keys do not need them. */
	private static final int MAX_PARAMETERS = 1024;

	private static final String STRING = "\"(?:[ !#-\\[\\]-~]++|\\\\[\"\\\\])*+\"";

	private static final String BARE_ITEM = "-?+[0-9]{1,15}+(?:\\.[0-9]{1,3}+)?+|" + STRING
			+ "|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+|:[A-Za-z0-9+/=]*+:|\\?[01]|@-?+[0-9]{1,15}+|%\"[ !#-~]*+\"";

	private static final Pattern PARAMETERS = Pattern
		.compile("(?:; *+[a-z*][a-z0-9_.*-]*+(?:=(?:" + BARE_ITEM + "))?+)*+");

	private StructuredString() {
	}

	/** {@code null} if it is malformed. Parameters are ignored. */
	static @Nullable String parse(String value) {
		StringBuilder text = new StringBuilder();
		for (int i = 1; i < value.length(); i++) {
			char c = value.charAt(i);
			if (c == '"') {
				return areParameters(value.substring(i + 1)) ? text.toString() : null;
			}
			if (c == '\\') {
				i++;
				c = (i < value.length()) ? value.charAt(i) : 0;
				if (c != '"' && c != '\\') {
					return null;
				}
			}
			if (c < ' ' || c > '~') {
				return null;
			}
			text.append(c);
		}
		return null;
	}

	private static boolean areParameters(String rest) {
		return rest.length() <= MAX_PARAMETERS && PARAMETERS.matcher(rest).matches();
	}

}
