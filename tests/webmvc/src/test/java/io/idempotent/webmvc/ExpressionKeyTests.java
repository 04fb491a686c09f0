package io.idempotent.webmvc;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.idempotent.webmvc.internal.key.ExpressionKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Equal values of key expressions are one key, others are not.
 */
class ExpressionKeyTests {

	@Test
	void simpleValuesAreTheirText() {
		assertThat(ExpressionKey.text("a b")).isEqualTo("a b");
		assertThat(ExpressionKey.text(7L)).isEqualTo("7");
		assertThat(ExpressionKey.text(Optional.of("a"))).isEqualTo("a");
		assertThat(ExpressionKey.text(new Order(7))).isEqualTo("Order[number=7]");
	}

	@Test
	void nothingIsEmpty() {
		assertThat(ExpressionKey.text(null)).isEmpty();
		assertThat(ExpressionKey.text(Optional.empty())).isEmpty();
		assertThat(ExpressionKey.text(List.of())).isEmpty();
		assertThat(ExpressionKey.text(new long[0])).isEmpty();
	}

	@Test
	void arraysAreTheirElements() {
		assertThat(ExpressionKey.text(new long[] { 1, 2 })).isEqualTo(ExpressionKey.text(new long[] { 1, 2 }))
			.isEqualTo(ExpressionKey.text(List.of(1, 2)))
			.isNotEqualTo(ExpressionKey.text(new long[] { 2, 1 }));
		assertThat(ExpressionKey.text(new String[] { "a", null }))
			.isEqualTo(ExpressionKey.text(Arrays.asList("a", null)));
	}

	@Test
	void oneElementIsNeverConfusedWithTwo() {
		assertThat(ExpressionKey.text(List.of("x, y", "z"))).isNotEqualTo(ExpressionKey.text(List.of("x", "y, z")));
		assertThat(ExpressionKey.text(List.of("x,1:y"))).isNotEqualTo(ExpressionKey.text(List.of("x", "y")));
		assertThat(ExpressionKey.text(List.of(List.of("a"), "b")))
			.isNotEqualTo(ExpressionKey.text(List.of("a", List.of("b"))));
	}

	@Test
	void setsAndMapsHaveNoOrder() {
		assertThat(ExpressionKey.text(new LinkedHashSet<>(List.of("b", "a"))))
			.isEqualTo(ExpressionKey.text(new LinkedHashSet<>(List.of("a", "b"))));
		assertThat(ExpressionKey.text(Map.of("a", 1, "b", 2))).isEqualTo(ExpressionKey.text(Map.of("b", 2, "a", 1)))
			.isNotEqualTo(ExpressionKey.text(Map.of("a", 2, "b", 1)));
	}

	@Test
	void aValueWithoutATextIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ExpressionKey.text(new Nameless()))
			.withMessageContaining(Nameless.class.getName())
			.withMessageContaining("toString()");
		assertThatIllegalArgumentException().isThrownBy(() -> ExpressionKey.text(List.of("a", new Nameless())));
	}

	@Test
	void aPartWithoutATextIsRefused() {
		for (Object part : new Object[] { new byte[1], new String[1], new int[1][1], new Nameless() }) {
			assertThatIllegalArgumentException().isThrownBy(() -> ExpressionKey.text(new Whole(part)))
				.withMessageContaining(Whole.class.getName());
		}
	}

	@Test
	void aTextThatLooksAlikeIsNot() {
		for (String part : List.of("alice@cafe.de", "alice.Smith@cafe.de", "lodash@4", "[a]@1")) {
			assertThat(ExpressionKey.text(new Whole(part))).isEqualTo("Whole[part=" + part + "]");
		}
		assertThat(ExpressionKey.text("[B@1")).isEqualTo("[B@1");
	}

	private record Order(int number) {
	}

	private record Whole(Object part) {
	}

	private static final class Nameless {

	}

}
