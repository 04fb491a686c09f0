package io.idempotent.boot;

/**
 * A part of the line that is logged at startup, such as {@code "records in Redis"}. The
 * order of the beans is the order of the parts.
 */
interface StartUpDetail {

	/**
	 * Describes the part.
	 * @return a phrase without secrets
	 */
	String describe();

}
