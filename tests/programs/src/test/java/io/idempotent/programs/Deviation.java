package io.idempotent.programs;

/**
 * Something that may not come of a program.
 *
 * @param kind of what kind
 * @param message what it is
 */
record Deviation(Kind kind, String message) {

	@Override
	public String toString() {
		return this.kind + ": " + this.message;
	}

}
