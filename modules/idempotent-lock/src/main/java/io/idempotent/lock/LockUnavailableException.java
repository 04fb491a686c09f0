package io.idempotent.lock;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A lock engine could not be reached, refused a request or did not respond in time. The
 * request may or may not have taken effect; a grant whose response was lost ends with its
 * lease.
 */
public class LockUnavailableException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** Creates the exception; the message says what to check. */
	public LockUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
