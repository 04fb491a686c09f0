package io.idempotent.boot.openapi;

import java.util.List;
import java.util.Map;

import io.idempotent.Refusal;
import io.idempotent.webmvc.OperationDescriptions.SentKey;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

/**
 * Creates schemas that are the same in OpenAPI 3.0 and 3.1.
 */
final class Schemas {

	/** The name of the problem schema. */
	static final String PROBLEM = "IdempotencyProblem";

	/** A reference to the problem schema. */
	static final String PROBLEM_REFERENCE = "#/components/schemas/" + PROBLEM;

	private Schemas() {
	}

	/**
	 * Creates a schema. Version 3.0 writes its type, and version 3.1 its types.
	 */
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

	static Schema<Object> problemReference() {
		Schema<Object> reference = new Schema<>();
		reference.set$ref(PROBLEM_REFERENCE);
		return reference;
	}

	/**
	 * Adds the problem schema to a document, unless the document has one of this name.
	 */
	static void addProblem(OpenAPI document) {
		if (document.getComponents() == null) {
			document.setComponents(new Components());
		}
		Map<String, ?> schemas = document.getComponents().getSchemas();
		if (schemas == null || !schemas.containsKey(PROBLEM)) {
			document.getComponents().addSchemas(PROBLEM, problem());
		}
	}

	private static Schema<Object> problem() {
		Schema<String> type = ofType("string");
		type.setFormat("uri");
		Schema<Integer> status = ofType("integer");
		status.setFormat("int32");
		Schema<String> code = ofType("string");
		for (Refusal refusal : Refusal.values()) {
			code.addEnumItemObject(refusal.code());
		}
		Schema<Object> problem = ofType("object");
		problem.setDescription("RFC 9457");
		problem.addProperty("type", type);
		problem.addProperty("title", ofType("string"));
		problem.addProperty("status", status);
		problem.addProperty("detail", ofType("string"));
		problem.addProperty("code", code);
		problem.setRequired(List.of("type", "title", "status", "detail", "code"));
		return problem;
	}

}
