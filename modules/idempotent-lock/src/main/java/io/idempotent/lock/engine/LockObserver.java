package io.idempotent.lock.engine;

import io.idempotent.lock.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * Observes the acquisitions of locks, for metrics and traces. Safe for use by several
 * threads; must neither block nor throw.
 */
@FunctionalInterface
public interface LockObserver {

	/** Observes nothing, and allocates nothing. */
	LockObserver NONE = (name, mode, engine) -> Acquisition.UNOBSERVED;

	/**
	 * A thread starts to acquire a lock that it does not hold.
	 * @param engine the engine that will be called
	 * @return the observation, which must be ended by the same thread
	 */
	Acquisition start(String name, LockMode mode, String engine);

	/** The observation of one acquisition, current in its thread until it ends. */
	@FunctionalInterface
	interface Acquisition {

		/** The observation of an acquisition without an observer. */
		Acquisition UNOBSERVED = (outcome, engine, failure) -> {
		};

		/**
		 * Ends the observation.
		 * @param engine the engine that has granted the lock, or that is in force
		 * @param failure the exception that ended it, or {@code null}
		 */
		void end(AcquisitionOutcome outcome, String engine, @Nullable Throwable failure);

	}

}
