package io.idempotent.engine;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a submission.
 */
public sealed interface Decision {

	/**
	 * What becomes of the operation in the guarded database.
	 * @return the effect, or {@code null} if nothing runs or no receipt is left
	 */
	default @Nullable EffectStatus effect() {
		return null;
	}

	/**
	 * The claim under which something is done.
	 * @return the claim, which must be ended, or {@code null} if there is none
	 */
	default @Nullable Claim claim() {
		return null;
	}

	/**
	 * The number of the claim.
	 * @return the attempt that runs or has given the answer, 0 where there is none
	 */
	default int attempt() {
		Claim claim = claim();
		return (claim != null) ? claim.attempt() : 0;
	}

	/**
	 * Decides on a duplicate of an operation that is done.
	 * @param policy how the operation is treated
	 * @param outcome its outcome
	 * @param attempt the attempt that ended so
	 * @return a replay, a recovery or a refusal
	 */
	static Decision completed(OperationPolicy policy, Outcome outcome, int attempt) {
		if (policy.whenCompleted() != WhenCompleted.REPLAY) {
			return new Refused(Refusal.DUPLICATE);
		}
		if (outcome instanceof Outcome.Stored stored) {
			return new Replay(stored, attempt);
		}
		return policy.recovers() ? new Recover(null, attempt) : new Refused(Refusal.RESPONSE_UNAVAILABLE);
	}

	/**
	 * It runs, under a claim that must be ended.
	 *
	 * @param claim the claim
	 */
	record Run(Claim claim) implements Decision {

		@Override
		public @Nullable EffectStatus effect() {
			return this.claim.effect();
		}

	}

	/**
	 * It runs without a claim.
	 *
	 * @param effect what becomes of it in the guarded database, which protects it all the
	 * same; {@code null} if nothing does
	 */
	record RunUnprotected(@Nullable EffectStatus effect) implements Decision {
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
	 * It took effect in an earlier attempt, whose answer is not to be had but may be
	 * rebuilt.
	 *
	 * @param claim the claim under which that is done, and which must be ended;
	 * {@code null} if the record is complete without an answer
	 * @param attempt the attempt that asks
	 */
	record Recover(@Nullable Claim claim, int attempt) implements Decision {
	}

	/**
	 * It gets neither.
	 *
	 * @param reason why
	 */
	record Refused(Refusal reason) implements Decision {
	}

}
