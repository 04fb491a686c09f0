package io.idempotent.programs;

/**
 * What a program throws.
 */
final class PlannedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	PlannedException() {
		super("planned", null, false, false);
	}

}
