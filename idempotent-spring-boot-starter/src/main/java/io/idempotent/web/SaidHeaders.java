package io.idempotent.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The headers that an operation has given to its answer, apart from those that came from
 * elsewhere: filters in front of it say theirs to the repeat as well.
 */
final class SaidHeaders {

	private final Map<String, List<Header>> byName = new LinkedHashMap<>();

	void set(String name, String value) {
		List<Header> values = new ArrayList<>(1);
		values.add(new Header(name, value, true));
		this.byName.put(key(name), values);
	}

	void add(String name, String value) {
		this.byName.computeIfAbsent(key(name), (key) -> new ArrayList<>(1)).add(new Header(name, value, false));
	}

	void remove(String name) {
		this.byName.remove(key(name));
	}

	void clear() {
		this.byName.clear();
	}

	/**
	 * The header lines, in their order.
	 * @param names which names are wanted
	 * @return the lines
	 */
	List<Header> lines(Predicate<String> names) {
		List<Header> lines = new ArrayList<>(this.byName.size() + 1);
		this.byName.forEach((name, values) -> {
			if (names.test(name)) {
				lines.addAll(values);
			}
		});
		return lines;
	}

	private static String key(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

	/**
	 * A header line.
	 *
	 * @param name the name
	 * @param value the value
	 * @param set whether it took the place of what was there before, or else was added
	 */
	record Header(String name, String value, boolean set) {
	}

}
