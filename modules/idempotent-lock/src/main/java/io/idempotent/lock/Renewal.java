package io.idempotent.lock;

/**
 * What happens to a lease while its lock is held.
 */
public enum Renewal {

	/** As configured with {@code idempotent.lock.renewal}. */
	DEFAULT,

	/** The lease is renewed until the lock is released or the JVM ends. */
	WHILE_HELD,

	/** The lease is not renewed: the lock is lost when it ends. */
	FIXED

}
