package io.idempotent.lock.engine;

import io.idempotent.lock.LockMode;

/**
 * Observes the acquisitions of locks, for metrics and traces. Safe for use by several
 * threads; must neither block nor throw.
 */
@FunctionalInterface
public interface LockObserver {

	/** Observes nothing, and allocates nothing. */
	LockObserver NONE = (name, mode, engine) -> LockObservation.NONE;

	/**
	 * A thread starts to acquire a lock that it does not hold.
	 * @param name the name of the lock
	 * @param mode its mode
	 * @param engine the engine that will be called
	 * @return the observation, which must be ended by the same thread
	 */
	LockObservation start(String name, LockMode mode, String engine);

}
