package io.idempotent.lock;

/**
 * What happens to a lease while its lock is held.
 */
public enum Renewal {

	/**
	 * The lease is renewed until the lock is released or the JVM ends; at most for
	 * {@link LockOptions#holdAtMost()}, if that is set.
	 */
	WHILE_HELD,

	/**
	 * The lease is not renewed: the lock is lost when it ends, unless it is
	 * {@linkplain DistributedLock#extend extended}.
	 */
	FIXED

}
