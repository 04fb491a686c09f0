package io.idempotent.engine.event;

import io.idempotent.store.ClaimResult;
import io.idempotent.store.Ownership;

/**
 * Is notified of each store call that submissions make, for metrics. Retries are reported
 * separately. The search for a claim whose reply was lost is not reported, since no
 * submission depends on it. Safe for use by several threads; must neither block nor
 * throw.
 */
@FunctionalInterface
public interface StoreCallListener {

	/**
	 * A call has ended.
	 * @param call the call
	 * @param result its result
	 * @param nanos how long it took
	 */
	void onCall(Call call, Result result, long nanos);

	/**
	 * The kind of a call.
	 */
	public enum Call {

		/** Claim a key. */
		CLAIM,

		/** Record an outcome. */
		COMPLETE,

		/** Renew a lease. */
		RENEW,

		/** Release a claim. */
		RELEASE,

		/** Issue a key. */
		ISSUE

	}

	/**
	 * The result of a call.
	 */
	enum Result {

		/** The claim was granted. */
		GRANTED,

		/** Another owner holds the claim. */
		IN_PROGRESS,

		/** The operation is completed. */
		COMPLETED,

		/** The outcome of the operation is unknown. */
		UNKNOWN,

		/** The key was used for other content. */
		KEY_REUSED,

		/** The key was never issued, or has expired. */
		NOT_ISSUED,

		/** The owner held the claim that it renewed, completed or released. */
		HELD,

		/** The owner did not hold the claim that it renewed, completed or released. */
		LOST,

		/** The key was issued. */
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
