package io.idempotent.store;

import io.idempotent.Refusal;

/**
 * What becomes of a submission.
 */
public sealed interface Decision {

	/**
	 * It runs, under a claim that must be ended.
	 *
	 * @param claim the claim
	 */
	record Run(Claim claim) implements Decision {
	}

	/**
	 * It runs without protection.
	 */
	record RunUnprotected() implements Decision {
	}

	/**
	 * It gets the answer of an earlier attempt.
	 *
	 * @param answer the stored answer
	 * @param attempt the attempt that gave it
	 */
	record Replay(Outcome.Stored answer, int attempt) implements Decision {
	}

	/**
	 * It gets neither.
	 *
	 * @param reason why
	 */
	record Refused(Refusal reason) implements Decision {
	}

}
