package io.idempotent.boot.internal.json;

import java.io.OutputStream;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.idempotent.method.json.CallJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.jackson.RawSerializer;

/**
 * JSON by Jackson. Results are written as the application configures it, but without
 * default typing, so that stored JSON names no class to be loaded unless types are
 * annotated so, and complete, with the names of properties and enum constants: what the
 * application configures for its API may shorten results, and change while they are on
 * record. Keys are written with a fixed configuration.
 */
public final class JacksonCallJson implements CallJson {

	private final JsonMapper results;

	private final JsonMapper keys = JsonMapper.builder()
		.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
		.addModule(foreignTrees())
		.build();

	public JacksonCallJson(JsonMapper application) {
		this.results = application.rebuild()
			.deactivateDefaultTyping()
			.propertyNamingStrategy(null)
			.changeDefaultPropertyInclusion((ofTheApplication) -> JsonInclude.Value.empty())
			.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE,
					DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
			.disable(SerializationFeature.WRAP_ROOT_VALUE)
			// Two constants may have one text.
			.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING,
					EnumFeature.WRITE_ENUMS_TO_LOWERCASE, EnumFeature.WRITE_ENUMS_USING_INDEX,
					EnumFeature.WRITE_ENUM_KEYS_USING_INDEX)
			// Another version of the class may have more or fewer properties.
			.disable(DeserializationFeature.UNWRAP_ROOT_VALUE, DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.build();
	}

	private static SimpleModule foreignTrees() {
		SimpleModule module = new SimpleModule();
		JsonTrees.foreignTo(JsonNode.class).forEach((tree) -> module.addSerializer(tree, new RawSerializer<>(tree)));
		return module;
	}

	@Override
	public ResultType resultType(Type type) {
		if (type instanceof TypeVariable) {
			throw new IllegalArgumentException(
					"the type " + type + " is not known here: name a type, or bind the variable in the bean's class");
		}
		JavaType resolved = this.results.constructType(type);
		new JacksonStorableTypes(this.results).require(resolved);
		return new JacksonResultType(this.results.writerFor(resolved),
				// A tree keeps its amounts as they are written.
				this.results.readerFor(resolved)
					.with(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
					.without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES));
	}

	@Override
	public byte[] writeKey(Object content) {
		try {
			return this.keys.writeValueAsBytes(content);
		}
		catch (JacksonException | StackOverflowError ex) {
			throw new IllegalArgumentException(
					"Content of type " + content.getClass().getName()
							+ " cannot be written as JSON: take the part of it that tells one operation from another",
					ex);
		}
	}

	private record JacksonResultType(ObjectWriter writer, ObjectReader reader) implements ResultType {

		@Override
		public void write(Object result, OutputStream out) {
			this.writer.writeValue(out, result);
		}

		@Override
		public @Nullable Object read(byte[] json, int offset) {
			return this.reader.readValue(json, offset, json.length - offset);
		}

	}

}
