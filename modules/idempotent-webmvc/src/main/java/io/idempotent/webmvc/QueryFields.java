package io.idempotent.webmvc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The parameters in the query string alone, decoded as the container decodes them.
 */
final class QueryFields {

	private QueryFields() {
	}

	/**
	 * Reads the query string.
	 * @param request the request
	 * @return the values of each parameter, sorted by name
	 */
	static Map<String, List<String>> of(HttpServletRequest request) {
		String query = request.getQueryString();
		if (query == null) {
			return Map.of();
		}
		Map<String, List<String>> fields = new TreeMap<>();
		for (String field : StringUtils.tokenizeToStringArray(query, "&", false, true)) {
			add(fields, field);
		}
		return fields;
	}

	/**
	 * The values that a field has in the body: the container puts those of the query
	 * string before them.
	 * @param request the request
	 * @param name the name of the field
	 * @return the values, possibly none
	 */
	static List<String> inBody(HttpServletRequest request, String name) {
		@Nullable String @Nullable [] values = request.getParameterValues(name);
		if (values == null) {
			return List.of();
		}
		List<String> inQuery = of(request).get(name);
		int first = (inQuery != null) ? Math.min(inQuery.size(), values.length) : 0;
		return Stream.of(values).skip(first).map(QueryFields::orEmpty).toList();
	}

	/**
	 * A field without {@code =} has an empty value to the container, and none where
	 * Spring's {@code FormContentFilter} has read the form.
	 * @param value the value of a field, or {@code null}
	 * @return the value
	 */
	static String orEmpty(@Nullable String value) {
		return (value != null) ? value : "";
	}

	private static void add(Map<String, List<String>> fields, String field) {
		int equals = field.indexOf('=');
		String name = decode((equals < 0) ? field : field.substring(0, equals));
		String value = (equals < 0) ? "" : decode(field.substring(equals + 1));
		fields.computeIfAbsent(name, (key) -> new ArrayList<>(1)).add(value);
	}

	private static String decode(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
