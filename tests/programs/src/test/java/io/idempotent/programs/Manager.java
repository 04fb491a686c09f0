package io.idempotent.programs;

/**
 * Who begins a transaction.
 */
enum Manager {

	/** The manager of the guarded database. */
	MAIN,

	/** Another manager of the guarded database. */
	SAME,

	/** The manager of another database. */
	OTHER

}
