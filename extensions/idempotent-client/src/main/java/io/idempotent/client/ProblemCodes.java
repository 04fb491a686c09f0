package io.idempotent.client;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds a member {@code code} with one of some values in a JSON document, at any depth.
 * Within a JSON string a quote is preceded by a backslash, so that no text can be taken
 * for a member.
 */
final class ProblemCodes {

	private final Pattern pattern;

	ProblemCodes(Set<String> codes) {
		String any = codes.stream().map(Pattern::quote).collect(Collectors.joining("|"));
		this.pattern = Pattern.compile("(?<!\\\\)\"code\"\\s*:\\s*\"(?:" + any + ")\"");
	}

	boolean in(byte[] body) {
		return this.pattern.matcher(new String(body, StandardCharsets.UTF_8)).find();
	}

}
