package io.idempotent.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.openapi.OperationDescriptions.SentKey;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import org.jspecify.annotations.Nullable;

/** Documents the header and the form field that carry a key or token. */
final class KeyParameters {

	private static final Set<String> FORMS = Set.of("application/x-www-form-urlencoded", "multipart/form-data");

	private KeyParameters() {
	}

	/** Adds the header, unless the operation has it, and the field to each form. */
	static void add(Operation operation, SentKey key) {
		boolean form = addField(operation, key);
		Parameter header = header(operation, key.header());
		if (header == null) {
			header = new Parameter().in("header").name(key.header());
			operation.addParametersItem(header);
		}
		if (header.getDescription() == null) {
			header.setDescription(key.text());
		}
		// A form may carry the token in a field instead.
		header.setRequired(key.required() && !form);
		header.setSchema(Schemas.key(key));
	}

	private static @Nullable Parameter header(Operation operation, String name) {
		List<Parameter> parameters = operation.getParameters();
		return (parameters != null) ? parameters.stream()
			.filter((parameter) -> "header".equals(parameter.getIn()) && name.equalsIgnoreCase(parameter.getName()))
			.findFirst()
			.orElse(null) : null;
	}

	/** Adds the field to each form. Returns whether the operation consumes one. */
	private static boolean addField(Operation operation, SentKey key) {
		RequestBody body = operation.getRequestBody();
		Content content = (body != null) ? body.getContent() : null;
		String field = key.field();
		if (content == null || field == null) {
			return false;
		}
		boolean found = false;
		for (Map.Entry<String, MediaType> media : content.entrySet()) {
			if (FORMS.contains(media.getKey())) {
				found = true;
				MediaType form = SharedParts.copy(media.getValue());
				form.setSchema(with(field, fieldSchema(key), form.getSchema()));
				media.setValue(form);
			}
		}
		return found;
	}

	private static Schema<String> fieldSchema(SentKey key) {
		Schema<String> schema = Schemas.key(key);
		schema.setDescription(key.fieldText());
		return schema;
	}

	/** Adds a field without changing a schema that other operations may share. */
	private static Schema<?> with(String field, Schema<String> fieldSchema, @Nullable Schema<?> present) {
		Schema<Object> added = Schemas.ofType("object");
		added.addProperty(field, fieldSchema);
		if (present == null) {
			return added;
		}
		Schema<Object> all = new Schema<>();
		all.addAllOfItem(present);
		all.addAllOfItem(added);
		return all;
	}

}
