package io.idempotent.boot.metrics;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;

/**
 * A tag that is named like its constant.
 */
interface TagName extends KeyName {

	/**
	 * The name of the constant.
	 */
	String name();

	@Override
	default String asString() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The value of a tag for a constant.
	 * @param constant the constant
	 * @return its name in lower case, with hyphens
	 */
	static String value(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
