package io.idempotent.openapi;

import io.idempotent.openapi.OperationDescriptions.SentKey;
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

}
