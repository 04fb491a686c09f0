package io.idempotent.boot.internal.json;

import java.io.InputStream;
import java.io.Serializable;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.store.Outcome;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which results can be stored, decided before anything runs.
 */
class StorableTypesTests {

	private final CallJson json = new JacksonCallJson(JsonMapper.builder().build());

	@TestFactory
	Stream<DynamicTest> typesThatCanBeStored() {
		return Stream.<Type>of(String.class, int.class, Long.class, BigDecimal.class, Instant.class, UUID.class,
				byte[].class, Color.class, Order.class, Tree.class, Bean.class, Shape.class, OptionalInt.class,
				JsonNode.class, OwnDeserializer.class, new ParameterizedTypeReference<List<Order>>() {
				}.getType(), new ParameterizedTypeReference<Map<Color, Set<Order>>>() {
				}.getType(), new ParameterizedTypeReference<Map<UUID, Map<Integer, String>>>() {
				}.getType(), new ParameterizedTypeReference<Optional<List<? extends Order>>>() {
				}.getType(), new ParameterizedTypeReference<Order[]>() {
				}.getType())
			.map((type) -> DynamicTest.dynamicTest(type.getTypeName(),
					() -> assertThatCode(() -> this.json.resultType(type)).doesNotThrowAnyException()));
	}

	@TestFactory
	@SuppressWarnings("rawtypes")
	Stream<DynamicTest> typesThatCannotBeStored() {
		return Stream.<Type>of(Object.class, List.class, Map.class, InputStream.class, Iterator.class,
				CompletableFuture.class, Runnable.class, Abstract.class, NoConstructor.class, Payload.class,
				Thread.class, ResponseEntity.class, Nested.class, Serializable.class, Number.class,
				new ParameterizedTypeReference<Map<Order, String>>() {
				}.getType(), new ParameterizedTypeReference<Stream<String>>() {
				}.getType(), new ParameterizedTypeReference<List<?>>() {
				}.getType(), new ParameterizedTypeReference<Map<String, Object>>() {
				}.getType(), new ParameterizedTypeReference<Optional<InputStream>>() {
				}.getType(), new ParameterizedTypeReference<List<CompletableFuture<String>>>() {
				}.getType())
			.map((type) -> DynamicTest.dynamicTest(type.getTypeName(),
					() -> assertThatIllegalArgumentException().isThrownBy(() -> this.json.resultType(type))
						.withMessageMatching("a result of type .* cannot be stored and replayed: .*")));
	}

	@Test
	void aRefusalNamesThePathToTheType() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.resultType(Nested.class))
			.withMessageStartingWith("a result of type java.lang.Object (Nested.payloads.content) cannot be stored");
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.resultType(SysPost.class))
			.withMessageContaining("(SysPost.params)");
	}

	@Test
	void aTypeVariableIsRefused() throws NoSuchMethodException {
		Type variable = List.class.getMethod("get", int.class).getGenericReturnType();
		assertThatIllegalArgumentException().isThrownBy(() -> this.json.resultType(variable))
			.withMessageContaining("the type E is not known");
	}

	@Test
	void storedJsonNeverContainsClassNames() {
		CallJson typed = new JacksonCallJson(JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build());
		ResultCodec codec = new ResultCodec(typed.resultType(Bean.class), 1000);
		byte[] stored = ((Outcome.Stored) codec.encode(new Bean(), "op")).answer();
		assertThat(new String(stored, 1, stored.length - 1, StandardCharsets.UTF_8)).isEqualTo("{\"name\":\"bean\"}");
	}

	enum Color {

		RED

	}

	record Order(String sku, Optional<Color> color) {
	}

	record Tree(String name, List<Tree> children) {
	}

	record Payload(Object content) {
	}

	record Nested(List<Map<String, Payload>> payloads) {
	}

	static class BaseEntity {

		public Map<String, Object> params = Map.of();

	}

	static class SysPost extends BaseEntity {

	}

	static class Bean {

		private String name = "bean";

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

	}

	abstract static class Abstract {

		public String getName() {
			return "abstract";
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(Circle.class))
	interface Shape {

	}

	record Circle(int radius) implements Shape {
	}

	static class NoConstructor {

		private final int first;

		private NoConstructor(int first, int second) {
			this.first = first + second;
		}

		static NoConstructor create() {
			return new NoConstructor(1, 2);
		}

		public int getFirst() {
			return this.first;
		}

	}

	record OwnDeserializer(@JsonDeserialize(using = Anything.class) Object anything) {
	}

	static class Anything extends ValueDeserializer<Object> {

		@Override
		public Object deserialize(JsonParser parser, DeserializationContext context) {
			return parser.getString();
		}

	}

}
