package io.idempotent.autoconfigure;

import java.io.Serial;
import java.util.Locale;

/**
 * There is no store for the records of operations.
 */
class MissingStoreException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	MissingStoreException(IdempotentProperties.StoreType type) {
		super("The " + type.name().toLowerCase(Locale.ROOT)
				+ " store was chosen for the records of idempotent operations "
				+ "(idempotent.store.type), but there is no RedisConnectionFactory bean to reach a Redis with");
	}

}
