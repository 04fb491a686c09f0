package io.idempotent.webmvc;

import java.io.Serial;

/**
 * Leads a replay from inside a call to where the answer is written. No failure, hence no
 * stack trace.
 */
final class ReplayException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	ReplayException() {
		super("A stored answer is replayed", null, false, false);
	}

}
