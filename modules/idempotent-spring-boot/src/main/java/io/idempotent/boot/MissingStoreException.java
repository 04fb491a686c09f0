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
				+ missing(type));
		this.type = type;
	}

	private static String missing(StoreType type) {
		if (!hasModule(type)) {
			return "module " + module(type) + " on the class path";
		}
		return (type == StoreType.JDBC) ? "DataSource bean to reach a database with, or no Spring JDBC"
				: "RedisConnectionFactory bean to reach a Redis with";
	}

	static boolean hasModule(StoreType type) {
		return OptionalModules.isPresent((type == StoreType.JDBC) ? "io.idempotent.jdbc.store.JdbcIdempotencyStore"
				: "io.idempotent.redis.RedisIdempotencyStore");
	}

	static String module(StoreType type) {
		return (type == StoreType.JDBC) ? "idempotent-jdbc" : "idempotent-redis";
	}

	/**
	 * What was chosen.
	 */
	StoreType type() {
		return this.type;
	}

}
