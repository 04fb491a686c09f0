package io.idempotent.engine.event;

import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore.Ownership;

/**
 * Is notified of each store call that submissions make, for metrics; not of the search
 * for a claim whose reply was lost. Safe for use by several threads; must neither block
 * nor throw.
 */
@FunctionalInterface
public interface StoreCallListener {

	void onCall(Call call, Result result, long nanos);

	/**
	 * The kind of a call.
	 */
	enum Call {

		CLAIM,

		COMPLETE,

		RENEW,

		RELEASE,

		ISSUE

	}

	/** The result of a call. */
	enum Result {

		GRANTED,

		IN_PROGRESS,

		COMPLETED,

		UNKNOWN,

		/** The key was used for other content. */
		KEY_REUSED,

		/** The key was never issued, or has expired. */
		NOT_ISSUED,

		/** The owner held the claim that it renewed, completed or released. */
		HELD,

		/** The owner did not hold the claim that it renewed, completed or released. */
		LOST,

		ISSUED,

		/** The store did not answer, or refused the call. */
		UNAVAILABLE,

		/** Another failure, such as a record that cannot be read. */
		FAILED;

		static Result of(ClaimResult result) {
			if (result instanceof ClaimResult.Granted) {
				return GRANTED;
			}
			if (result instanceof ClaimResult.InProgress) {
				return IN_PROGRESS;
			}
			if (result instanceof ClaimResult.Completed) {
				return COMPLETED;
			}
			if (result instanceof ClaimResult.Unknown) {
				return UNKNOWN;
			}
			return (result instanceof ClaimResult.KeyReused) ? KEY_REUSED : NOT_ISSUED;
		}

		static Result of(Ownership ownership) {
			return (ownership == Ownership.HELD) ? HELD : LOST;
		}

	}

}
