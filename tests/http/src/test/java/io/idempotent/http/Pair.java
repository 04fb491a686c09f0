package io.idempotent.http;

import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The same application twice: with the starter, and without.
 *
 * @param with the one whose annotations have an effect
 * @param without its twin
 */
record Pair(Server with, Server without) implements AutoCloseable {

	/**
	 * The pair on a container, started once for all tests.
	 */
	static Pair of(Server.Container container, ExtensionContext context) {
		return context.getRoot()
			.getStore(ExtensionContext.Namespace.create(Pair.class))
			.computeIfAbsent(container, (key) -> start(container), Pair.class);
	}

	static Pair start(Server.Container container, String... properties) {
		return new Pair(Server.start(container, true, properties), Server.start(container, false, properties));
	}

	@Override
	public void close() {
		this.with.close();
		this.without.close();
	}

}
