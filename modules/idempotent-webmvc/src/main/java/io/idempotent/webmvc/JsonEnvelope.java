package io.idempotent.webmvc;

import java.util.Locale;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON envelopes such as <code>{"code":200,"msg":"…","data":…}</code>, of which one field
 * says whether an operation succeeded. Reads no further than that field.
 */
final class JsonEnvelope implements OutcomeClassifier {

	private static final Log logger = LogFactory.getLog(JsonEnvelope.class);

	private final JsonFactory json = JsonFactory.builder().build();

	private final String field;

	private final Set<String> success;

	JsonEnvelope(String field, Set<String> success) {
		if (field.isEmpty() || success.isEmpty()) {
			throw new IllegalArgumentException(
					"An envelope is classified by the name of a field and at least one value "
							+ "that means success, such as jsonField(\"code\", \"200\")");
		}
		this.field = field;
		this.success = success;
	}

	@Override
	public @Nullable OutcomeClass classify(String operation, Response response) {
		byte[] body = response.body();
		if (body == null || response.status() / 100 != 2 || !isJson(response.contentType())) {
			return null;
		}
		try (JsonParser parser = this.json.createParser(ObjectReadContext.empty(), body)) {
			String value = value(parser);
			return (value != null && !this.success.contains(value)) ? OutcomeClass.NO_EFFECT : null;
		}
		catch (JacksonException ex) {
			logger.debug("A response of operation '" + operation + "' is not readable as JSON: its status decides", ex);
			return null;
		}
	}

	private @Nullable String value(JsonParser parser) {
		if (parser.nextToken() != JsonToken.START_OBJECT) {
			return null;
		}
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			boolean found = parser.currentName().equals(this.field);
			JsonToken value = parser.nextToken();
			if (found) {
				return value.isScalarValue() ? parser.getString() : null;
			}
			parser.skipChildren();
		}
		return null;
	}

	private static boolean isJson(@Nullable String contentType) {
		if (contentType == null) {
			return false;
		}
		String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
		return type.equals("application/json") || type.endsWith("+json");
	}

}
