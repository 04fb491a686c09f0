package io.idempotent.programs;

/**
 * What a method runs that was handed in.
 */
@FunctionalInterface
interface Body {

	/**
	 * Runs it.
	 * @return its result
	 */
	String run();

}
