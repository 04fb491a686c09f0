package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import io.idempotent.openapi.OperationDescriptions.SentKey;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

/** Creates schemas that are the same in OpenAPI 3.0 and 3.1. */
final class Schemas {

	private Schemas() {
	}

	/** Creates a schema. Version 3.0 writes its type, and version 3.1 its types. */
	static <T> Schema<T> ofType(String type) {
		Schema<T> schema = new Schema<>();
		schema.setType(type);
		schema.addType(type);
		return schema;
	}

	static Schema<String> key(SentKey key) {
		Schema<String> schema = ofType("string");
		schema.setMinLength(1);
		schema.setMaxLength(key.maxLength());
		schema.setPattern(key.pattern());
		return schema;
	}

	static Schema<?> seconds(BigDecimal minimum) {
		Schema<Integer> schema = ofType("integer");
		schema.setMinimum(minimum);
		return schema;
	}

	/** An object whose members are all required. */
	static Schema<Object> object(List<String> order, Map<String, Schema<?>> members) {
		Schema<Object> object = ofType("object");
		order.forEach((name) -> object.addProperty(name, members.get(name)));
		object.setRequired(order);
		return object;
	}

	/**
	 * Adds the schema of an error document, unless the document has one of this name.
	 */
	static void add(OpenAPI document, ErrorFormat format) {
		if (document.getComponents() == null) {
			document.setComponents(new Components());
		}
		Map<String, ?> schemas = document.getComponents().getSchemas();
		if (schemas == null || !schemas.containsKey(name(format))) {
			document.getComponents().addSchemas(name(format), switch (format) {
				case PROBLEM -> problem();
				case STRIPE -> object(List.of("error"), Map.of("error", error(format)));
				case ACP -> error(format);
			});
		}
	}

	static Schema<Object> reference(ErrorFormat format) {
		Schema<Object> reference = new Schema<>();
		reference.set$ref("#/components/schemas/" + name(format));
		return reference;
	}

	private static String name(ErrorFormat format) {
		return (format == ErrorFormat.PROBLEM) ? "IdempotencyProblem" : "IdempotencyError";
	}

	private static Schema<Object> problem() {
		Schema<String> type = ofType("string");
		type.setFormat("uri");
		Schema<Integer> status = ofType("integer");
		status.setFormat("int32");
		Schema<Object> problem = object(List.of("type", "title", "status", "detail", "code"),
				Map.of("type", type, "title", ofType("string"), "status", status, "detail", ofType("string"), "code",
						code(ErrorFormat.PROBLEM)));
		problem.setDescription("RFC 9457");
		return problem;
	}

	private static Schema<Object> error(ErrorFormat format) {
		return object(List.of("type", "code", "message"),
				Map.of("type", ofType("string"), "code", code(format), "message", ofType("string")));
	}

	private static Schema<String> code(ErrorFormat format) {
		Schema<String> code = ofType("string");
		for (Refusal refusal : Refusal.values()) {
			code.addEnumItemObject(format.code(refusal));
		}
		return code;
	}

}
