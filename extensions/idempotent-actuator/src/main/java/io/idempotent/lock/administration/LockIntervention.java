package io.idempotent.lock.administration;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A manual change by an operator, or an attempt at one.
 *
 * @param name the name of the lock; {@code null} if the change concerns all locks
 * @param engine the name of the engine: that of the lock, or the one to switch to
 * @param by who is responsible
 */
public record LockIntervention(Instant time, Action action, @Nullable String name, String engine, String by,
		String reason, Result result) {

	/** What was to be done. */
	public enum Action {

		/** A lock was to be taken away from its holders. */
		RELEASE,

		/** The nodes were to switch to another engine. */
		SWITCH,

		/** A switch in progress was to be called off. */
		CANCEL_SWITCH

	}

	/** How it ended. */
	public enum Result {

		/** It succeeded. */
		DONE,

		/** There was nothing to do: no holder, or no switch in progress. */
		NOTHING_TO_DO,

		/** It failed. Whether it took effect may be unknown. */
		FAILED

	}

}
