package io.idempotent.boot.lock;

import java.io.Serial;

/**
 * Thrown if a lock engine is named or needed that is not available.
 */
class MissingLockEngineException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String action;

	MissingLockEngineException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * What to do.
	 */
	String action() {
		return this.action;
	}

}
