package io.idempotent.conformance;

/**
 * A target does not do what a vector checks.
 */
final class NotConforming extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NotConforming(String message) {
		super(message);
	}

}
