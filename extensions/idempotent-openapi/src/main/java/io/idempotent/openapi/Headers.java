package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

import io.idempotent.openapi.OperationDescriptions.Header;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

/** Documents response headers. */
final class Headers {

	private Headers() {
	}

	/** Adds a header to a response, unless the response has it. */
	static void add(ApiResponse response, Header header, Schema<?> schema) {
		Map<String, io.swagger.v3.oas.models.headers.Header> headers = new LinkedHashMap<>();
		if (response.getHeaders() != null) {
			headers.putAll(response.getHeaders());
		}
		boolean present = headers.keySet().stream().anyMatch(header.name()::equalsIgnoreCase);
		if (!present && response.get$ref() == null) {
			headers.put(header.name(),
					new io.swagger.v3.oas.models.headers.Header().description(header.text()).schema(schema));
			response.setHeaders(headers);
		}
	}

	static void addToEach(ApiResponses responses, Header header, Schema<?> schema) {
		responses.replaceAll((status, response) -> {
			ApiResponse own = SharedParts.copy(response);
			add(own, header, schema);
			return own;
		});
	}

	static Schema<?> mark() {
		Schema<String> schema = Schemas.ofType("string");
		schema.addEnumItemObject("true");
		return schema;
	}

	static Schema<?> seconds(BigDecimal minimum) {
		Schema<Integer> schema = Schemas.ofType("integer");
		schema.setMinimum(minimum);
		return schema;
	}

}
