package io.idempotent.webmvc.internal.submission;

import java.io.Serial;

/** Leaves the call; the exception resolver writes the response that is replayed. */
public final class ReplayException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	public ReplayException() {
		super("The stored response is replayed", null, false, false);
	}

}
