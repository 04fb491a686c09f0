package io.idempotent.lock.quorum;

/**
 * The holder of a lock on one server.
 */
enum Holder {

	/** The requesting owner. */
	THIS,

	/** Another owner. */
	OTHER,

	/** No owner: the lock is free. */
	NONE

}
