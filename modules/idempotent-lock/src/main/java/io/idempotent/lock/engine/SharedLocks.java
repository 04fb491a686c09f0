package io.idempotent.lock.engine;

import io.idempotent.lock.LockMode;

/**
 * Refuses shared locks on engines that have none.
 */
final class SharedLocks {

	private SharedLocks() {
	}

	/**
	 * Checks that an engine grants locks of a mode.
	 * @param engine the engine
	 * @param mode the mode
	 * @throws UnsupportedOperationException if it does not
	 */
	static void require(LockEngine engine, LockMode mode) {
		if (!engine.supports(mode)) {
			throw new UnsupportedOperationException("The lock engine '" + engine.name()
					+ "' has no read locks: use one that has, such as redisson, zookeeper, jdbc or local, by"
					+ " idempotent.lock.engines or by the engine of the lock's options, or take the write lock");
		}
	}

}
