package io.idempotent.lock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A lock engine could not be reached, refused or did not answer in time. What was asked
 * may or may not have taken effect; a grant that nobody heard of ends with its lease.
 */
public class LockUnavailableException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what was asked of which engine, and what to look at
	 * @param cause what the engine's client said
	 */
	public LockUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
