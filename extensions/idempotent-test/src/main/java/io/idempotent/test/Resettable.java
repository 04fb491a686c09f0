package io.idempotent.test;

/** A bean that is reset before each test. */
interface Resettable {

	void reset();

}
