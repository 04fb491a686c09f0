package io.idempotent.boot;

import java.io.Serial;
import java.util.Locale;

import io.idempotent.boot.IdempotentProperties.StoreType;

/**
 * There is no store for the records of operations.
 */
class MissingStoreException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final StoreType type;

	MissingStoreException(StoreType type) {
		super("The " + type.name().toLowerCase(Locale.ROOT)
				+ " store was chosen for the records of idempotent operations (idempotent.store.type), but there is no "
				+ ((type == StoreType.JDBC) ? "DataSource bean to reach a database with, or no Spring JDBC"
						: "RedisConnectionFactory bean to reach a Redis with"));
		this.type = type;
	}

	/**
	 * What was chosen.
	 */
	StoreType type() {
		return this.type;
	}

}
