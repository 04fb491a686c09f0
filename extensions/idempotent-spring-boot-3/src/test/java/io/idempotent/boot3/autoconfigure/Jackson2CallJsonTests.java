package io.idempotent.boot3.autoconfigure;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.CallJson.ResultType;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Results, and what is refused. {@code GenerationsTests} in tests/versions compare keys
 * with those of Jackson 3.
 */
class Jackson2CallJsonTests {

	private final Jackson2CallJson json = new Jackson2CallJson(JsonMapper.builder().findAndAddModules().build());

	private Object restored(Type type, Object result) {
		return restored(this.json, type, result);
	}

	private static Object restored(CallJson json, Type type, Object result) {
		return restored(json, json, type, result);
	}

	private static Object restored(CallJson writer, CallJson reader, Type type, Object result) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(' ');
		writer.resultType(type).write(result, out);
		return reader.resultType(type).read(out.toByteArray(), 1);
	}

	@Test
	void aResultIsRestored() {
		Parcel parcel = new Parcel(Optional.of("gift"), List.of(Map.of("tea", new BigDecimal("1.50"))));
		assertThat(restored(Parcel.class, parcel)).isEqualTo(parcel);
	}

	@Test
	void aTreeKeepsItsAmounts() throws Exception {
		JsonNode tree = JsonMapper.builder().build().createObjectNode().put("price", new BigDecimal("1.50"));
		assertThat(restored(JsonNode.class, tree)).hasToString("{\"price\":1.50}");
	}

	@Test
	void constantsWithOneTextAreToldApart() {
		ObjectMapper byText = JsonMapper.builder()
			.enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
			.enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
			.build();
		assertThat(restored(new Jackson2CallJson(byText), Size.class, Size.LARGE)).isEqualTo(Size.LARGE);
	}

	@Test
	void settingsOfAnApiDoNotChangeAResult() {
		Shelf shelf = new Shelf("", List.of(), Map.of(Size.LARGE, Size.SMALL));
		Jackson2CallJson ofAnApi = new Jackson2CallJson(JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_EMPTY, Include.NON_EMPTY))
			.enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
			.enable(SerializationFeature.WRITE_ENUMS_USING_INDEX, SerializationFeature.WRITE_ENUM_KEYS_USING_INDEX)
			.build());
		assertThat(restored(ofAnApi, this.json, Shelf.class, shelf)).isEqualTo(shelf);
		assertThat(restored(this.json, ofAnApi, Shelf.class, shelf)).isEqualTo(shelf);
	}

	@Test
	void aPropertyThatTheClassHasNowIsAbsent() {
		Jackson2CallJson strict = new Jackson2CallJson(JsonMapper.builder()
			.enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.build());
		byte[] stored = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
		assertThat(strict.resultType(Version2.class).read(stored, 0)).isEqualTo(new Version2(1, 0, null));
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, Number.class, InputStream.class, Shape.class, Holder.class, Nothing.class })
	void aTypeThatCannotBeRestoredIsRefused(Class<?> type) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.resultType(type))
			.withMessageContaining("cannot be stored and replayed");
	}

	@Test
	void keysTellConstantsWithOneTextApart() {
		assertThat(this.json.writeKey(List.of("order", Size.LARGE))).asString().isEqualTo("[\"order\",\"LARGE\"]");
		assertThat(this.json.writeKey(Map.of(Size.LARGE, 1))).asString().isEqualTo("{\"LARGE\":1}");
	}

	@Test
	void aTreeOfAnotherLibraryIsWrittenAsItsJson() throws Exception {
		assertThat(this.json.writeKey(Map.of("order", new JSONObject("{\"lines\": [{\"price\": 1}]}")))).asString()
			.isEqualTo("{\"order\":{\"lines\":[{\"price\":1}]}}");
		assertThat(this.json.writeKey(new JSONArray("[1, 2]"))).asString().isEqualTo("[1,2]");
	}

	@Test
	void contentThatCannotBeWrittenIsNoKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.writeKey(new Nothing()))
			.withMessageContaining("cannot be written as JSON");
	}

	record Parcel(Optional<String> note, List<Map<String, BigDecimal>> content) {
	}

	record Shelf(String shelfName, List<String> teas, Map<Size, Size> sizes) {
	}

	record Version2(int a, int b, String c) {
	}

	record Holder(List<Object> values) {
	}

	interface Shape {

		int getCorners();

	}

	enum Size {

		SMALL, LARGE;

		@Override
		public String toString() {
			return "size";
		}

	}

	static class Nothing {

	}

}
