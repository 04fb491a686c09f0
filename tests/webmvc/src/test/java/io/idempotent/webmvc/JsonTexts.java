package io.idempotent.webmvc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Generated JSON: a list is an array, a map an object, a {@link Text} a string, and
 * anything else a literal.
 */
final class JsonTexts {

	private static final String ALPHABET = "ab\"\\/{}[]:,1 \n\u00e9\u4e2d";

	private JsonTexts() {
	}

	/**
	 * Any value.
	 */
	static Object value(Random random) {
		return value(random, 0);
	}

	private static Object value(Random random, int depth) {
		return switch (random.nextInt((depth < 4) ? 7 : 5)) {
			case 0 -> random.nextLong();
			case 1 -> random.nextDouble();
			case 2 -> random.nextBoolean();
			case 3 -> "null";
			case 4 -> text(random);
			case 5 -> {
				List<Object> elements = new ArrayList<>();
				for (int i = random.nextInt(4); i > 0; i--) {
					elements.add(value(random, depth + 1));
				}
				yield elements;
			}
			default -> {
				Map<Text, Object> members = new LinkedHashMap<>();
				for (int i = random.nextInt(5); i > 0; i--) {
					members.put(text(random), value(random, depth + 1));
				}
				yield members;
			}
		};
	}

	static Text text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(6); i > 0; i--) {
			text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
		}
		return new Text(text.toString());
	}

	/** Changes one leaf, or adds one to an empty container. */
	static Object mutate(Object value, Random random) {
		if (value instanceof List<?> elements) {
			List<Object> changed = new ArrayList<>(elements);
			if (changed.isEmpty()) {
				changed.add("null");
			}
			else {
				int at = random.nextInt(changed.size());
				changed.set(at, mutate(changed.get(at), random));
			}
			return changed;
		}
		if (value instanceof Map<?, ?> members) {
			Map<Object, Object> changed = new LinkedHashMap<>(members);
			if (changed.isEmpty()) {
				changed.put(new Text("added"), "null");
			}
			else {
				Object at = new ArrayList<>(changed.keySet()).get(random.nextInt(changed.size()));
				changed.put(at, mutate(changed.get(at), random));
			}
			return changed;
		}
		return (value instanceof Text text) ? new Text(text.value() + "!") : new Text("was " + value);
	}

	/**
	 * Writes a value in one of many ways: white space, escapes, the order of members.
	 */
	static String write(Object value, Random random) {
		String space = " \n\t".substring(0, random.nextInt(3));
		List<String> items = new ArrayList<>();
		if (value instanceof List<?> elements) {
			elements.forEach((element) -> items.add(write(element, random)));
			return space + "[" + String.join(",", items) + space + "]";
		}
		if (value instanceof Map<?, ?> members) {
			members.forEach((name, member) -> items.add(write(name, random) + space + ":" + write(member, random)));
			Collections.shuffle(items, random);
			return space + "{" + String.join(",", items) + "}" + space;
		}
		return space + ((value instanceof Text text) ? quote(text.value(), random) : value) + space;
	}

	private static String quote(String text, Random random) {
		StringBuilder quoted = new StringBuilder("\"");
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"' || c == '\\' || c < ' ' || random.nextInt(4) == 0) {
				quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
			}
			else {
				quoted.append(c);
			}
		}
		return quoted.append('"').toString();
	}

	/** A string, where a plain {@code String} is a literal. */
	record Text(String value) {
	}

}
