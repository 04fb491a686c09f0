package io.idempotent.programs;

/**
 * What kind of deviation from the documents.
 */
enum Kind {

	/** Something was answered as done that left no effect. */
	LOST_EFFECT,

	/** Something ran again that was done. */
	DOUBLE_EFFECT,

	/** A result that was kept is not answered. */
	LOST_RESULT,

	/** A result that is not that of the operation. */
	WRONG_VALUE,

	/** A run was refused because of itself. */
	FALSE_DUPLICATE,

	/** Something else was refused that may run. */
	STUCK,

	/** A thread waits for itself. */
	HANG,

	/** Another exception than those that are explained. */
	UNEXPECTED_EXCEPTION,

	/** The database holds other rows than those that were committed. */
	ROWS,

	/** The database holds other receipts than those that were committed. */
	RECEIPTS,

	/** A connection, a lock or a thread is left. */
	LEAK

}
