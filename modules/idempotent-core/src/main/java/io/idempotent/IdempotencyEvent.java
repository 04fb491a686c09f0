package io.idempotent;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a submission.
 *
 * @param operation the name of the operation; safe as a metric tag
 * @param key a short hash of the operation key, for logs; never a metric tag; empty where
 * a submission was refused before it had one
 * @param refusal why, for {@link Type#REFUSED}
 */
public record IdempotencyEvent(Type type, String operation, String key, @Nullable Refusal refusal) {

	/**
	 * What may happen to a submission.
	 */
	public enum Type {

		/** It was granted and runs. */
		GRANTED,

		/** It took over a claim that its owner stopped renewing, and runs. */
		RERUN,

		/**
		 * It runs without a claim, since the store could not be reached: at most a
		 * receipt protects it.
		 */
		UNPROTECTED,

		/**
		 * There is a stored answer, which it gets unless the application denies the
		 * replay, or a refusal follows since the answer cannot be read.
		 */
		REPLAYED,

		/** It was refused. */
		REFUSED,

		/** It was recorded as completed. */
		COMPLETED,

		/** It took no effect, and the claim was released. */
		RELEASED,

		/** It is unknown whether it took effect. */
		LEFT_UNKNOWN,

		/** Another submission had taken the claim over before it ended. */
		CLAIM_LOST,

		/** The store did not accept its outcome; the write is retried. */
		WRITE_DELAYED,

		/** Its outcome could not be recorded, and the write was dropped. */
		WRITE_DROPPED

	}

}
