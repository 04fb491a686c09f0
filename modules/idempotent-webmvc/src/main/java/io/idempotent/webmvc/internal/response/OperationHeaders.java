package io.idempotent.webmvc.internal.response;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The headers that an operation has set on its response. Those of the filters in front of
 * it are not among them, since these filters set them on a replay as well.
 */
final class OperationHeaders {

	private final Map<String, List<Header>> byName = new LinkedHashMap<>();

	private final Set<String> pinned = new HashSet<>();

	/**
	 * Keeps a header as it is: later values are ignored.
	 * @param name the name of the header
	 */
	void pin(String name) {
		this.pinned.add(key(name));
	}

	void unpin(String name) {
		this.pinned.remove(key(name));
	}

	void set(String name, String value) {
		if (this.pinned.contains(key(name))) {
			return;
		}
		List<Header> values = new ArrayList<>(1);
		values.add(new Header(name, value, true));
		this.byName.put(key(name), values);
	}

	void add(String name, String value) {
		if (this.pinned.contains(key(name))) {
			return;
		}
		this.byName.computeIfAbsent(key(name), (key) -> new ArrayList<>(1)).add(new Header(name, value, false));
	}

	void remove(String name) {
		this.byName.remove(key(name));
	}

	void clear() {
		this.byName.clear();
		this.pinned.clear();
	}

	/**
	 * The header lines, in their order.
	 * @param names which names to include
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
	 * @param set whether it replaced earlier values, instead of being added to them
	 */
	public record Header(String name, String value, boolean set) {
	}

}
