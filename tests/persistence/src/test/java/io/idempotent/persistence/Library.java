package io.idempotent.persistence;

/**
 * A library by which an application writes to its database.
 */
@FunctionalInterface
interface Library {

	/**
	 * Writes the effect of an operation.
	 * @param payment what is paid
	 */
	void insert(String payment);

}
