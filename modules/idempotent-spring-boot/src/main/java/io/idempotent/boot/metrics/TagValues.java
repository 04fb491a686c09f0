package io.idempotent.boot.metrics;

import java.util.Locale;

/**
 * The values of tags.
 */
final class TagValues {

	private TagValues() {
	}

	/**
	 * The value for a constant.
	 * @param constant the constant
	 * @return its name in lower case, with hyphens
	 */
	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
