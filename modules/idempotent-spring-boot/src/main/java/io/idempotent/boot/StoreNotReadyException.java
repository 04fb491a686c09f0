package io.idempotent.boot;

import java.io.Serial;

/**
 * Thrown at startup if the store does not work although it is required to.
 */
class StoreNotReadyException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	StoreNotReadyException(Throwable cause) {
		super("The store of idempotent operations does not work: " + cause.getMessage(), cause);
	}

}
