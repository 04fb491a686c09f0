package io.idempotent.engine.claim;

import io.idempotent.store.Outcome;

/**
 * How a run under a {@link Claim} ended, as far as its entrance can tell. The receipt of
 * the operation may know better.
 */
public sealed interface Ending {

	/**
	 * It took effect.
	 *
	 * @param outcome its outcome
	 */
	record Completed(Outcome outcome) implements Ending {
	}

	/**
	 * It answered with an error that is recorded and replayed, unless it took effect. If
	 * it may have, {@link io.idempotent.WhenFailed} decides.
	 *
	 * @param error the outcome that replays the error
	 * @param saysNoEffect whether the error says that there is no effect, as
	 * {@link Plain#NO_EFFECT} does
	 */
	record RecordedError(Outcome error, boolean saysNoEffect) implements Ending {
	}

	/**
	 * An end that says no more than its kind.
	 */
	enum Plain implements Ending {

		/** It never began: the key is freed. */
		NOT_STARTED,

		/**
		 * It was skipped: the key is freed. A receipt that was committed nevertheless is
		 * deleted.
		 */
		SKIPPED,

		/**
		 * It reported that it took no effect: the key is freed. If this attempt is known
		 * to have committed a receipt nevertheless, the receipt is deleted. If it cannot
		 * be deleted, is that of another attempt, or of a commit that was in doubt, the
		 * operation is recorded as done.
		 */
		NO_EFFECT,

		/**
		 * It failed. If it took effect nevertheless, in this attempt or another one, that
		 * is recorded; otherwise {@link io.idempotent.WhenFailed} decides.
		 */
		FAILED,

		/**
		 * It took effect, but has no answer: what is stored with its receipt is recorded.
		 */
		COMMITTED,

		/**
		 * A commit in the guarded database is in doubt: the receipt decides. Without
		 * receipts the outcome is unknown.
		 */
		IN_DOUBT,

		/** The outcome is unknown, unless its receipt proves that it took effect. */
		UNKNOWN,

		/**
		 * It may still run where it can no longer be observed: nothing is written, and
		 * the outcome is unknown as soon as the lease has ended.
		 */
		STILL_RUNNING

	}

}
