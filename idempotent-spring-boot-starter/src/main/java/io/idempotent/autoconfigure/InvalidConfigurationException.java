package io.idempotent.autoconfigure;

import java.io.Serial;

/**
 * A property under {@code idempotent} that cannot work.
 */
class InvalidConfigurationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	InvalidConfigurationException(IllegalArgumentException cause) {
		super(cause.getMessage(), cause);
	}

}
