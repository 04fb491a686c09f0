package io.idempotent.lock.engine;

import org.jspecify.annotations.Nullable;

/**
 * The observation of one acquisition. It is the current one of its thread until it ends.
 */
@FunctionalInterface
public interface LockObservation {

	/** The observation of an acquisition without an observer. */
	LockObservation NONE = (outcome, engine, failure) -> {
	};

	/**
	 * Ends the observation.
	 * @param outcome how the acquisition ended
	 * @param engine the engine that has granted the lock, or that is in force
	 * @param failure the exception that ended it, or {@code null}
	 */
	void end(AcquisitionOutcome outcome, String engine, @Nullable Throwable failure);

}
