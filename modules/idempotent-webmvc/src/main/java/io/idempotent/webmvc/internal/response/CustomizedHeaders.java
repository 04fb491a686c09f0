package io.idempotent.webmvc.internal.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.response.StoredResponse.Header;

import org.springframework.http.HttpHeaders;
import org.springframework.util.LinkedCaseInsensitiveMap;

/** The headers of a stored response, after the application has changed a copy. */
final class CustomizedHeaders {

	/** Of the container, or of this library. */
	private static final Set<String> FIXED = Set.of("content-length", "transfer-encoding",
			HttpSettings.TTL_HEADER.toLowerCase(Locale.ROOT));

	private CustomizedHeaders() {
	}

	/** What the application leaves unchanged is written as before. */
	static List<Header> of(List<Header> stored, Consumer<HttpHeaders> customizer) {
		Map<String, List<String>> before = new LinkedCaseInsensitiveMap<>();
		HttpHeaders copy = new HttpHeaders();
		for (Header header : stored) {
			before.computeIfAbsent(header.name(), (name) -> new ArrayList<>()).add(header.value());
			copy.add(header.name(), header.value());
		}
		customizer.accept(copy);
		// A map in Spring Framework 6, and none in 7: only what both have.
		Map<String, List<String>> after = new LinkedCaseInsensitiveMap<>();
		copy.forEach(after::put);
		List<Header> headers = new ArrayList<>(after.size());
		for (Header header : stored) {
			List<String> values = after.get(header.name());
			if (values != null && values.equals(before.get(header.name()))) {
				headers.add(header);
			}
		}
		after.forEach((name, values) -> {
			if (!values.equals(before.get(name)) && !FIXED.contains(name.toLowerCase(Locale.ROOT))) {
				add(name, values, headers);
			}
		});
		return headers;
	}

	private static void add(String name, List<String> values, List<Header> headers) {
		boolean type = name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE);
		boolean first = true;
		for (String value : values) {
			headers.add(new Header(type ? HttpHeaders.CONTENT_TYPE : name, value, first));
			first = false;
		}
	}

}
