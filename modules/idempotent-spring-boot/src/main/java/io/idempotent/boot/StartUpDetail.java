package io.idempotent.boot;

/**
 * A part of the one line that says at start-up how idempotency is configured, such as
 * {@code "records in Redis"}. Beans of this type are told in their order.
 */
interface StartUpDetail {

	/**
	 * Describes the part.
	 * @return a few words, without anything secret
	 */
	String describe();

}
