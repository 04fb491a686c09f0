package io.idempotent.webmvc.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.servlet.HandlerMapping;

/**
 * What distinguishes one path from another: the pattern that matched, its decoded
 * variables and, if the pattern has wildcards, the path as decoded by the container.
 * Context path, prefixes of a proxy, matrix parameters (<code>;jsessionid=…</code>) and
 * the encoding of characters do not count.
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
		addVariables(parts, variables, pattern);
		// A regular expression that looks like one does no harm.
		if (pattern.indexOf('*') >= 0 || pattern.indexOf('?') >= 0) {
			parts.add(normalized.get());
		}
		return parts;
	}

	private static void addVariables(List<String> parts, Map<?, ?> variables, String pattern) {
		if (variables.isEmpty()) {
			return;
		}
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

	/** Whether a variable is a wildcard: <code>{*rest}</code>. */
	private static boolean isRest(String pattern, String variable) {
		return pattern.endsWith("{*" + variable + "}") || pattern.contains("{*" + variable + "}/");
	}

	private static String normalized(HttpServletRequest request) {
		String rest = request.getPathInfo();
		return request.getServletPath() + ((rest != null) ? rest : "");
	}

}
