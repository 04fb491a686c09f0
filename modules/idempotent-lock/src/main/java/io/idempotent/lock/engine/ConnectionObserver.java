package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Is notified of changes of a connection that concern all leases of an engine. Never
 * blocks.
 */
public interface ConnectionObserver {

	/**
	 * The connection is down, and the state of all leases is uncertain.
	 * @param safe how long from now leases surely remain valid
	 */
	void suspended(Duration safe);

	/** The connection is restored: each lease is to be renewed, to learn its state. */
	void restored();

	/**
	 * A session has ended, and its grants with it. This may be noticed late, when there
	 * are grants of the next session, which are still valid.
	 * @param grants matches the grants that have ended
	 */
	void ended(Predicate<LockGrant> grants);

}
