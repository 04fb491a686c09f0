package io.idempotent.boot;

import java.io.Serial;
import java.util.Locale;

import io.idempotent.boot.StoreProperties.StoreType;

/**
 * The store chosen for the records of operations is not available.
 */
class MissingStoreException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final StoreType type;

	MissingStoreException(StoreType type) {
		super("The " + type.name().toLowerCase(Locale.ROOT)
				+ " store was chosen for the records of idempotent operations (idempotent.store.type), but "
				+ reason(type));
		this.type = type;
	}

	private static String reason(StoreType type) {
		if (!module(type).isPresent()) {
			return module(type).reason();
		}
		return (type == StoreType.JDBC) ? "there is no DataSource bean, or spring-boot-jdbc is not on the class path"
				: "there is no RedisConnectionFactory bean";
	}

	private static OptionalModule module(StoreType type) {
		return (type == StoreType.JDBC) ? OptionalModule.JDBC : OptionalModule.REDIS;
	}

	/**
	 * How to get the store.
	 */
	String action() {
		if (!module(this.type).isPresent()) {
			return module(this.type).action();
		}
		return (this.type == StoreType.JDBC)
				? "Add spring-boot-starter-jdbc with a driver and configure a database (spring.datasource.url)"
				: "Configure a Redis (spring.data.redis.host and .port, or .url)";
	}

}
