package io.idempotent.lock;

/**
 * What happens to a lease while its lock is held.
 */
public enum Renewal {

	/** What {@code idempotent.lock.renewal} says. */
	DEFAULT,

	/** It is renewed until the lock is given back or the JVM is gone. */
	WHILE_HELD,

	/** It is not renewed: the lock is lost when the lease ends. */
	FIXED,

	/** It is renewed until the longest hold is over, when the lock is lost. */
	UP_TO_MAXIMUM

}
