package io.idempotent.conformance;

/**
 * A vector needs something that the target was not described with.
 */
final class NotRun extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRun(String message) {
		super(message);
	}

}
