package io.idempotent.programs;

/**
 * How a commit fails.
 */
enum CommitFault {

	/** The database commits, and its reply is lost. */
	REPLY_LOST,

	/** The database fails before it commits. */
	NOT_COMMITTED

}
