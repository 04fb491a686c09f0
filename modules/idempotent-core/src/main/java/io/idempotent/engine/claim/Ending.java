package io.idempotent.engine.claim;

import io.idempotent.store.Outcome;

/**
 * How a run under a {@link Claim} ended, as far as its entrance can tell. The receipt of
 * the operation may know better.
 */
public sealed interface Ending {

	/** Whether the operation is over for its caller: a repeat gets this answer. */
	default boolean hasAnswer() {
		return !(this instanceof Plain);
	}

	record Completed(Outcome outcome) implements Ending {
	}

	/**
	 * It answered with an error that is recorded and replayed, unless it took effect.
	 * While a commit may still arrive, {@link io.idempotent.WhenFailed} decides instead.
	 * If the error says that there is no effect, a committed receipt is deleted first.
	 */
	record RecordedError(Outcome error, boolean saysNoEffect) implements Ending {
	}

	enum Plain implements Ending {

		/** The key is freed. */
		NOT_STARTED,

		/** The key is freed; a receipt that was committed nevertheless is deleted. */
		SKIPPED,

		/**
		 * It reported that it took no effect: the key is freed. A receipt that this
		 * attempt is known to have committed is deleted. If that fails, or another
		 * attempt or a commit in doubt has left the receipt, the operation is recorded as
		 * done.
		 */
		NO_EFFECT,

		/**
		 * It failed. If this or another attempt took effect nevertheless, that is
		 * recorded; otherwise {@link io.idempotent.WhenFailed} decides.
		 */
		FAILED,

		/** It took effect, but has no answer: what its receipt holds is recorded. */
		COMMITTED,

		/** The receipt decides. Without receipts the outcome is unknown. */
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
