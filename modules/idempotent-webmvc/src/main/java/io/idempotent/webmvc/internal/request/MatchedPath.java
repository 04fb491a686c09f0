package io.idempotent.webmvc.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.servlet.HandlerMapping;

/**
 * What distinguishes one path from another: the pattern that matched, its decoded
 * variables and, if the pattern has wildcards, the path as decoded by the container.
 * Context path, prefixes of a proxy, matrix parameters (<code>;jsessionid=…</code>), the
 * encoding of characters, and names and regular expressions of variables, which another
 * version of the application may change, do not count.
 */
public final class MatchedPath {

	private MatchedPath() {
	}

	public static List<String> parts(HttpServletRequest request) {
		if (!(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern)) {
			return List.of("path", normalized(request));
		}
		Map<?, ?> variables = (request
			.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> found) ? found
					: Map.of();
		return parts(pattern, variables, () -> normalized(request));
	}

	public static List<String> parts(String pattern, Map<?, ?> variables, Supplier<String> normalized) {
		List<String> parts = new ArrayList<>(4);
		parts.add("pattern");
		parts.add(pattern);
		String shape = (pattern.indexOf('{') >= 0) ? addVariables(parts, pattern, variables) : pattern;
		parts.set(1, shape);
		if (shape.indexOf('*') >= 0 || shape.indexOf('?') >= 0) {
			parts.add(normalized.get());
		}
		return parts;
	}

	/** Returns the pattern without names and regular expressions. */
	private static String addVariables(List<String> parts, String pattern, Map<?, ?> variables) {
		StringBuilder shape = new StringBuilder(pattern.length());
		int next = 0;
		for (int brace = pattern.indexOf('{'); brace >= 0; brace = pattern.indexOf('{', next)) {
			shape.append(pattern, next, brace);
			next = endOfVariable(pattern, brace);
			String variable = pattern.substring(brace + 1, Math.max(brace + 1, next - 1));
			boolean rest = variable.startsWith("*");
			shape.append(rest ? "{*}" : "{}");
			if (!rest) {
				parts.add(String.valueOf(variables.get(variable.split(":", 2)[0])));
			}
		}
		return shape.append(pattern, next, pattern.length()).toString();
	}

	/** Its regular expression may have braces. */
	private static int endOfVariable(String pattern, int brace) {
		int depth = 0;
		int at = brace;
		do {
			depth += switch (pattern.charAt(at++)) {
				case '{' -> 1;
				case '}' -> -1;
				default -> 0;
			};
		}
		while (depth > 0 && at < pattern.length());
		return at;
	}

	private static String normalized(HttpServletRequest request) {
		String rest = request.getPathInfo();
		return request.getServletPath() + ((rest != null) ? rest : "");
	}

}
