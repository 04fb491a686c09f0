package io.idempotent.webmvc.internal.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Converts the value of a key expression to text: equal values have equal texts in every
 * JVM, different values have different texts.
 */
public final class KeyText {

	private KeyText() {
	}

	/**
	 * Converts a value: lists, arrays, sets and maps by their elements, anything else by
	 * its {@code toString()}.
	 * @param value the value
	 * @return the text, empty if the value is
	 * @throws IllegalArgumentException if its type does not define {@code toString()}
	 */
	public static String of(@Nullable Object value) {
		if (value == null) {
			return "";
		}
		if (value instanceof Optional<?> optional) {
			return of(optional.orElse(null));
		}
		if (value instanceof Map<?, ?> map) {
			return joined(map.entrySet()
				.stream()
				.map((entry) -> of(List.of(of(entry.getKey()), of(entry.getValue()))))
				.sorted());
		}
		if (value instanceof Collection<?> collection) {
			Stream<String> elements = collection.stream().map(KeyText::of);
			return joined((collection instanceof Set) ? elements.sorted() : elements);
		}
		if (value.getClass().isArray()) {
			return of(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return text(value);
	}

	/** Each element is preceded by its length, so that one cannot look like two. */
	private static String joined(Stream<String> elements) {
		List<String> parts = new ArrayList<>();
		elements.forEach((element) -> parts.add(element.length() + ":" + element));
		return String.join(",", parts);
	}

	private static String text(Object value) {
		String text = value.toString();
		String type = value.getClass().getName();
		if (text.startsWith(type + "@")) {
			throw new IllegalArgumentException("the type " + type
					+ " has no toString() of its own, so that each object is another key. Name what identifies the "
					+ "operation, such as \"#order.number\" or \"{#order.number, #order.version}\"");
		}
		return text;
	}

}
