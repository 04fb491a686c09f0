package io.idempotent.lock.quorum;

/**
 * To whom a lock belongs on one server.
 */
enum Holder {

	/** To the owner that asks. */
	THIS,

	/** To another one. */
	OTHER,

	/** To none. */
	NONE

}
