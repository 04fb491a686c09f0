package io.idempotent.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The files that a native image must contain: scripts, schemas and messages.
 */
class IdempotencyRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/idempotent/store/redis/*.lua")
			.registerPattern("io/idempotent/store/jdbc/schema-*.sql")
			.registerPattern("io/idempotent/lock/engine/jdbc/schema-*.sql")
			.registerPattern("io/idempotent/guard/schema-*.sql")
			.registerResourceBundle("io.idempotent.web.problems");
	}

}
