package io.idempotent.guest;

import java.util.List;

/**
 * A starter.
 *
 * @param artifact its name
 * @param arguments what tells it to do without a server
 */
record Starter(String artifact, List<String> arguments) {

	/** The one with Redis. */
	static final Starter DEFAULT = new Starter("idempotent-spring-boot-starter",
			List.of("--idempotent.store.type=local", "--idempotent.lock.engines=local"));

	/** The one with a database. */
	static final Starter JDBC = new Starter("idempotent-jdbc-spring-boot-starter", List.of());

	static List<Starter> of(Kind kind) {
		return kind.hasDatabase() ? List.of(DEFAULT, JDBC) : List.of(DEFAULT);
	}

	@Override
	public String toString() {
		return this.artifact;
	}

}
