package io.idempotent.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers the resources that a native image needs: scripts, schemas and messages.
 */
class IdempotencyRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/idempotent/redis/*.lua")
			.registerPattern("io/idempotent/jdbc/store/schema-*.sql")
			.registerPattern("io/idempotent/lock/jdbc/schema-*.sql")
			.registerPattern("io/idempotent/lock/fence/schema-*.sql")
			.registerPattern("io/idempotent/jdbc/receipt/schema-*.sql")
			.registerResourceBundle("io.idempotent.webmvc.problems");
	}

}
