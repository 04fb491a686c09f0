package io.idempotent.webmvc;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.idempotent.webmvc.internal.key.KeyText;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Equal values of key expressions are one key, others are not.
 */
class KeyTextTests {

	@Test
	void simpleValuesAreTheirText() {
		assertThat(KeyText.of("a b")).isEqualTo("a b");
		assertThat(KeyText.of(7L)).isEqualTo("7");
		assertThat(KeyText.of(Optional.of("a"))).isEqualTo("a");
		assertThat(KeyText.of(new Order(7))).isEqualTo("Order[number=7]");
	}

	@Test
	void nothingIsEmpty() {
		assertThat(KeyText.of(null)).isEmpty();
		assertThat(KeyText.of(Optional.empty())).isEmpty();
		assertThat(KeyText.of(List.of())).isEmpty();
		assertThat(KeyText.of(new long[0])).isEmpty();
	}

	@Test
	void arraysAreTheirElements() {
		assertThat(KeyText.of(new long[] { 1, 2 })).isEqualTo(KeyText.of(new long[] { 1, 2 }))
			.isEqualTo(KeyText.of(List.of(1, 2)))
			.isNotEqualTo(KeyText.of(new long[] { 2, 1 }));
		assertThat(KeyText.of(new String[] { "a", null })).isEqualTo(KeyText.of(Arrays.asList("a", null)));
	}

	@Test
	void oneElementIsNeverConfusedWithTwo() {
		assertThat(KeyText.of(List.of("x, y", "z"))).isNotEqualTo(KeyText.of(List.of("x", "y, z")));
		assertThat(KeyText.of(List.of("x,1:y"))).isNotEqualTo(KeyText.of(List.of("x", "y")));
		assertThat(KeyText.of(List.of(List.of("a"), "b"))).isNotEqualTo(KeyText.of(List.of("a", List.of("b"))));
	}

	@Test
	void setsAndMapsHaveNoOrder() {
		assertThat(KeyText.of(new LinkedHashSet<>(List.of("b", "a"))))
			.isEqualTo(KeyText.of(new LinkedHashSet<>(List.of("a", "b"))));
		assertThat(KeyText.of(Map.of("a", 1, "b", 2))).isEqualTo(KeyText.of(Map.of("b", 2, "a", 1)))
			.isNotEqualTo(KeyText.of(Map.of("a", 2, "b", 1)));
	}

	@Test
	void aValueWithoutATextIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyText.of(new Nameless()))
			.withMessageContaining(Nameless.class.getName())
			.withMessageContaining("toString()");
		assertThatIllegalArgumentException().isThrownBy(() -> KeyText.of(List.of("a", new Nameless())));
	}

	private record Order(int number) {
	}

	private static final class Nameless {

	}

}
