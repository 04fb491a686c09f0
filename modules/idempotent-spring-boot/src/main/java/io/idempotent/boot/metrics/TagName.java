package io.idempotent.boot.metrics;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;

/** A tag that is named like its constant. */
interface TagName extends KeyName {

	String name();

	@Override
	default String asString() {
		return name().toLowerCase(Locale.ROOT);
	}

	static String value(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
