package io.idempotent.boot3.autoconfigure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.text.SimpleDateFormat;
import java.time.Month;
import java.time.Year;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.DefaultAccessorNamingStrategy;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.RawSerializer;
import io.idempotent.boot.internal.json.JsonTrees;
import io.idempotent.method.json.CallJson;
import org.jspecify.annotations.Nullable;

/**
 * JSON by Jackson 2, as {@link io.idempotent.boot.internal.json.JacksonCallJson} has it
 * by Jackson 3: a key is the same text, so that nodes on both can share a store.
 */
final class Jackson2CallJson implements CallJson {

	/** Modules of Jackson 2. */
	private static final String PARTS_OF_JACKSON_3 = "com\\.fasterxml\\.jackson\\.datatype\\.(jdk8|jsr310)\\..*";

	private final ObjectMapper results;

	private final ObjectMapper keys = keys();

	Jackson2CallJson(ObjectMapper application) {
		this.results = application.copy()
			.deactivateDefaultTyping()
			.setPropertyNamingStrategy(null)
			.setDefaultPropertyInclusion(JsonInclude.Value.empty())
			.configure(EnumFeature.WRITE_ENUMS_TO_LOWERCASE, false)
			.enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
					SerializationFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE, SerializationFeature.WRAP_ROOT_VALUE,
					// Two constants may have one text.
					SerializationFeature.WRITE_ENUMS_USING_TO_STRING, SerializationFeature.WRITE_ENUMS_USING_INDEX,
					SerializationFeature.WRITE_ENUM_KEYS_USING_INDEX)
			.disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE, DeserializationFeature.UNWRAP_ROOT_VALUE,
					DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					DeserializationFeature.READ_ENUMS_USING_TO_STRING);
	}

	/** With what Jackson 3 writes by default, but the names of enum constants. */
	private static ObjectMapper keys() {
		SimpleDateFormat dates = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT);
		dates.setTimeZone(TimeZone.getTimeZone("UTC"));
		SimpleModule module = new SimpleModule().addSerializer(Locale.class, new As<>(Locale::toLanguageTag))
			.addSerializer(Month.class, new As<>(Month::getValue))
			.addSerializer(Year.class, new As<>(Year::getValue));
		JsonTrees.foreignTo(JsonNode.class).forEach((tree) -> module.addSerializer(tree, new RawSerializer<>(tree)));
		return JsonMapper.builder()
			.addModules(ObjectMapper.findModules(Jackson2CallJson.class.getClassLoader())
				.stream()
				.filter((found) -> found.getClass().getName().matches(PARTS_OF_JACKSON_3))
				.toList())
			.addModule(module)
			.enable(MapperFeature.USE_STD_BEAN_NAMING)
			.accessorNaming(new DefaultAccessorNamingStrategy.Provider().withFirstCharAcceptance(false, false))
			.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
			.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.defaultDateFormat(dates)
			.build();
	}

	@Override
	public ResultType resultType(Type type) {
		if (type instanceof TypeVariable) {
			throw new IllegalArgumentException(
					"the type " + type + " is not known here: name a type, or bind the variable in the bean's class");
		}
		JavaType resolved = this.results.constructType(type);
		new Jackson2StorableTypes(this.results).require(resolved);
		return new Jackson2ResultType(this.results.writerFor(resolved),
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
		catch (JsonProcessingException | StackOverflowError ex) {
			throw new IllegalArgumentException(
					"Content of type " + content.getClass().getName()
							+ " cannot be written as JSON: take the part of it that tells one operation from another",
					ex);
		}
	}

	/** Writes a value as another one. */
	private static final class As<T> extends JsonSerializer<T> {

		private final Function<T, Object> other;

		As(Function<T, Object> other) {
			this.other = other;
		}

		@Override
		public void serialize(T value, JsonGenerator json, SerializerProvider serializers) throws IOException {
			serializers.defaultSerializeValue(this.other.apply(value), json);
		}

	}

	private record Jackson2ResultType(ObjectWriter writer, ObjectReader reader) implements ResultType {

		@Override
		public void write(Object result, OutputStream out) {
			try {
				this.writer.writeValue(out, result);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public @Nullable Object read(byte[] json, int offset) {
			try {
				return this.reader.readValue(json, offset, json.length - offset);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
