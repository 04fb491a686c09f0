package io.idempotent.conformance;

/**
 * A vector needs something that the description of the target does not contain.
 */
final class NotRun extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotRun(String message) {
		super(message);
	}

}
