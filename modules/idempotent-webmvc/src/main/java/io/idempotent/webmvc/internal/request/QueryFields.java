package io.idempotent.webmvc.internal.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.util.WebUtils;

/** The parameters of the query string alone, decoded as by the container. */
public final class QueryFields {

	private QueryFields() {
	}

	static Map<String, List<String>> of(@Nullable String query) {
		if (query == null) {
			return Map.of();
		}
		Map<String, List<String>> fields = new TreeMap<>();
		for (String field : StringUtils.tokenizeToStringArray(query, "&", false, true)) {
			int equals = field.indexOf('=');
			fields.computeIfAbsent(name(field), (key) -> new ArrayList<>(1))
				.add((equals < 0) ? "" : decode(field.substring(equals + 1)));
		}
		return fields;
	}

	/** Whether some of the parameters are not those of the query. */
	static boolean areInBody(Map<String, String[]> parameters, @Nullable String query, Predicate<String> names) {
		if (parameters.isEmpty()) {
			return false;
		}
		Map<String, List<String>> inQuery = of(query);
		return parameters.entrySet()
			.stream()
			.anyMatch((field) -> !Arrays.asList(field.getValue()).equals(inQuery.get(field.getKey()))
					&& names.test(field.getKey()));
	}

	/** In the parameters of the container, the values of the query string come first. */
	public static List<String> inBody(HttpServletRequest request, String name) {
		@Nullable String @Nullable [] values;
		try {
			values = request.getParameterValues(name);
		}
		catch (RuntimeException ex) {
			return inUnparsedBody(request, name, ex);
		}
		if (values == null) {
			return List.of();
		}
		List<String> inQuery = of(request.getQueryString()).get(name);
		int first = (inQuery != null) ? Math.min(inQuery.size(), values.length) : 0;
		return Stream.of(values).skip(first).map(QueryFields::orEmpty).toList();
	}

	/** A handler method may read the bytes, or get the exception of its parts. */
	private static List<String> inUnparsedBody(HttpServletRequest request, String name, RuntimeException failure) {
		RewindableRequest rewindable = WebUtils.getNativeRequest(request, RewindableRequest.class);
		byte[] form = (rewindable != null) ? rewindable.form() : null;
		if (form == null) {
			MultipartHttpServletRequest parts = WebUtils.getNativeRequest(request, MultipartHttpServletRequest.class);
			if (parts != null) {
				parts.getMultiFileMap();
			}
			throw failure;
		}
		return of(new String(form, StandardCharsets.ISO_8859_1)).getOrDefault(name, List.of());
	}

	public static Map<String, List<String>> inBody(HttpServletRequest request) {
		Map<String, List<String>> fields = new LinkedHashMap<>();
		for (String name : request.getParameterMap().keySet()) {
			List<String> values = inBody(request, name);
			if (!values.isEmpty()) {
				fields.put(name, values);
			}
		}
		return fields;
	}

	/** {@code null} if Spring's {@code FormContentFilter} has parsed the form. */
	static String orEmpty(@Nullable String value) {
		return (value != null) ? value : "";
	}

	static String name(String field) {
		int equals = field.indexOf('=');
		return decode((equals < 0) ? field : field.substring(0, equals));
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
