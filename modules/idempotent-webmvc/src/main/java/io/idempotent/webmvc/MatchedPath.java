package io.idempotent.webmvc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.servlet.HandlerMapping;

/**
 * What of a path tells one request from another, however it is spelled: the pattern that
 * matched, and the decoded variables in it. Where the pattern has wildcards, what they
 * matched counts as the container decoded and normalized it. The context path, prefixes
 * added by a proxy, matrix parameters (<code>;jsessionid=…</code>) and the way characters
 * are encoded do not count.
 */
final class MatchedPath {

	private MatchedPath() {
	}

	/**
	 * Takes the path apart.
	 * @param request a request that was mapped to a handler
	 * @return the parts; of two different paths never the same
	 */
	static List<String> parts(HttpServletRequest request) {
		List<String> parts = new ArrayList<>(4);
		if (!(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern)) {
			parts.add("path");
			parts.add(normalized(request));
			return parts;
		}
		parts.add("pattern");
		parts.add(pattern);
		addVariables(parts, request, pattern);
		if (hasWildcard(pattern)) {
			parts.add(normalized(request));
		}
		return parts;
	}

	private static void addVariables(List<String> parts, HttpServletRequest request, String pattern) {
		if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
				&& !variables.isEmpty()) {
			Map<String, String> sorted = new TreeMap<>();
			variables.forEach((name, value) -> {
				if (!isRest(pattern, name.toString())) {
					sorted.put(name.toString(), value.toString());
				}
			});
			sorted.forEach((name, value) -> {
				parts.add(name);
				parts.add(value);
			});
		}
	}

	/** Whether a variable is as good as a wildcard: <code>{*rest}</code>. */
	private static boolean isRest(String pattern, String variable) {
		return pattern.endsWith("{*" + variable + "}") || pattern.contains("{*" + variable + "}/");
	}

	/**
	 * Whether a pattern matches something that is not in a variable. A regular expression
	 * in a variable may hold the same characters.
	 */
	private static boolean hasWildcard(String pattern) {
		int depth = 0;
		for (int i = 0; i < pattern.length(); i++) {
			switch (pattern.charAt(i)) {
				case '{' -> depth++;
				case '}' -> depth--;
				case '*' -> {
					if (depth == 0 || pattern.charAt(i - 1) == '{') {
						return true;
					}
				}
				case '?' -> {
					if (depth == 0) {
						return true;
					}
				}
				default -> {
				}
			}
		}
		return false;
	}

	private static String normalized(HttpServletRequest request) {
		String rest = request.getPathInfo();
		return request.getServletPath() + ((rest != null) ? rest : "");
	}

}
