package io.idempotent.openapi;

import java.util.List;
import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

/** Creates the schemas of the error documents that refusals have. */
final class ErrorSchemas {

	private ErrorSchemas() {
	}

	/** Adds the schema of a format, unless the document has one of this name. */
	static void add(OpenAPI document, ErrorFormat format) {
		if (document.getComponents() == null) {
			document.setComponents(new Components());
		}
		Map<String, ?> schemas = document.getComponents().getSchemas();
		if (schemas == null || !schemas.containsKey(name(format))) {
			document.getComponents().addSchemas(name(format), schema(format));
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

	private static Schema<Object> schema(ErrorFormat format) {
		return switch (format) {
			case PROBLEM -> problem();
			case STRIPE -> object(Map.of("error", error(format)), List.of("error"));
			case ACP -> error(format);
		};
	}

	private static Schema<Object> problem() {
		Schema<String> type = Schemas.ofType("string");
		type.setFormat("uri");
		Schema<Integer> status = Schemas.ofType("integer");
		status.setFormat("int32");
		Schema<Object> problem = object(
				Map.of("type", type, "title", Schemas.ofType("string"), "status", status, "detail",
						Schemas.ofType("string"), "code", code(ErrorFormat.PROBLEM)),
				List.of("type", "title", "status", "detail", "code"));
		problem.setDescription("RFC 9457");
		return problem;
	}

	private static Schema<Object> error(ErrorFormat format) {
		return object(
				Map.of("type", Schemas.ofType("string"), "code", code(format), "message", Schemas.ofType("string")),
				List.of("type", "code", "message"));
	}

	/** An object whose members are all required. */
	private static Schema<Object> object(Map<String, Schema<?>> members, List<String> order) {
		Schema<Object> object = Schemas.ofType("object");
		order.forEach((name) -> object.addProperty(name, members.get(name)));
		object.setRequired(order);
		return object;
	}

	private static Schema<String> code(ErrorFormat format) {
		Schema<String> code = Schemas.ofType("string");
		for (Refusal refusal : Refusal.values()) {
			code.addEnumItemObject(format.code(refusal));
		}
		return code;
	}

}
