package io.idempotent.openapi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;

import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

/** Documents response headers. */
final class ResponseHeaders {

	private static final int FIRST_STATUS = 100;

	private ResponseHeaders() {
	}

	/** Adds a header to a response, unless the response has it. */
	static void add(ApiResponse response, String name, String text, Schema<?> schema) {
		Map<String, Header> headers = new LinkedHashMap<>();
		if (response.getHeaders() != null) {
			headers.putAll(response.getHeaders());
		}
		boolean present = headers.keySet().stream().anyMatch(name::equalsIgnoreCase);
		if (!present && response.get$ref() == null) {
			headers.put(name, new Header().description(text).schema(schema));
			response.setHeaders(headers);
		}
	}

	/** Adds a header to the responses of some statuses. */
	static void add(ApiResponses responses, IntPredicate statuses, String name, String text, Schema<?> schema) {
		for (Map.Entry<String, ApiResponse> response : responses.entrySet()) {
			if (statuses.test(status(response.getKey()))) {
				response.setValue(SharedParts.copy(response.getValue()));
				add(response.getValue(), name, text, schema);
			}
		}
	}

	/** The first status of a class such as {@code 2XX}; {@code default} is no replay. */
	private static int status(String response) {
		String digits = response.replace('X', '0').replace('x', '0');
		return digits.matches("[0-9]{3}") ? Integer.parseInt(digits) : FIRST_STATUS;
	}

}
