package io.idempotent.crash;

/**
 * What happens to one COMMIT; its caller gets an exception each time.
 */
enum CommitFault {

	/** The database commits, and the reply is lost. */
	REPLY_LOST,

	/** The COMMIT stays on its way until it is delivered. */
	LATE,

	/** The COMMIT never arrives. */
	LOST

}
