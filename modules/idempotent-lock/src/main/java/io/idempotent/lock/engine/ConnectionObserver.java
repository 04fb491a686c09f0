package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Hears what a connection says of all leases of an engine at once. Never blocks.
 */
public interface ConnectionObserver {

	/**
	 * The connection is down, and whether leases live on is uncertain.
	 * @param safe how long they surely live from now
	 */
	void suspended(Duration safe);

	/**
	 * The connection is back: each grant is to be asked for.
	 */
	void restored();

	/**
	 * A session has ended, and its grants with it. The news may be late: what was granted
	 * in the next session by then is not over.
	 * @param grants tells which grants are over
	 */
	void ended(Predicate<LockGrant> grants);

}
