package io.idempotent.test;

/**
 * A bean that forgets before each test what the last one did.
 */
interface Resettable {

	void reset();

}
