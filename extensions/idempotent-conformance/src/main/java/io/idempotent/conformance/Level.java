package io.idempotent.conformance;

/**
 * How strictly a document requires what a vector checks.
 */
public enum Level {

	/**
	 * Required. What a document states as a fact, without these words of RFC 2119, counts
	 * as required.
	 */
	MUST,

	/** Recommended: there may be reasons not to. */
	SHOULD,

	/** Required by no document: a promise of idempotent-spring-boot-starter. */
	PROMISE

}
