package io.idempotent.webmvc.internal.submission;

import java.io.Serial;

/**
 * Leaves the call of a handler method because a stored response is replayed: an exception
 * resolver writes it. No failure, hence no stack trace.
 */
public final class ReplayException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	public ReplayException() {
		super("The stored response is replayed", null, false, false);
	}

}
