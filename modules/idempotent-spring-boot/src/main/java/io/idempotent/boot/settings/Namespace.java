package io.idempotent.boot.settings;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The namespace of the application in keys and in the names of locks.
 */
public final class Namespace {

	private Namespace() {
	}

	/**
	 * Returns {@code idempotent.namespace}, the name of the application, or
	 * "application", whichever is set first.
	 */
	public static String in(Environment environment) {
		String name = Binder.get(environment).bind("idempotent.namespace", String.class).orElse("");
		if (!StringUtils.hasText(name)) {
			name = environment.getProperty("spring.application.name", "");
		}
		return StringUtils.hasText(name) ? name : "application";
	}

}
