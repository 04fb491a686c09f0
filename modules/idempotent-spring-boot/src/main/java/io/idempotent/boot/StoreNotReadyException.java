package io.idempotent.boot;

import java.io.Serial;

/**
 * The store does not work when the application starts, and is required to.
 */
class StoreNotReadyException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	StoreNotReadyException(Throwable cause) {
		super("The store of idempotent operations does not work: " + cause.getMessage(), cause);
	}

}
