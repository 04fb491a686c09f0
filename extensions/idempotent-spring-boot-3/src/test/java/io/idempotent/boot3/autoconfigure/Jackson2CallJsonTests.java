package io.idempotent.boot3.autoconfigure;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.CallJson.ResultType;
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
		ResultType resultType = json.resultType(type);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(' ');
		resultType.write(result, out);
		return resultType.read(out.toByteArray(), 1);
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
	void contentThatCannotBeWrittenIsNoKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.writeKey(new Nothing()))
			.withMessageContaining("cannot be written as JSON");
	}

	record Parcel(Optional<String> note, List<Map<String, BigDecimal>> content) {
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
