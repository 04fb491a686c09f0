package io.idempotent.engine;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.EffectProof;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a submission.
 */
public sealed interface Decision {

	/**
	 * Answers whether the operation takes effect in the attempt that this decision
	 * permits.
	 */
	default EffectProof proof() {
		return EffectProof.NONE;
	}

	/**
	 * The claim that comes with the decision.
	 * @return the claim, which must be ended, or {@code null} if there is none
	 */
	default @Nullable Claim claim() {
		return null;
	}

	/**
	 * The number of the claim.
	 * @return the attempt that runs or gave the answer, 0 if there is none
	 */
	default int attempt() {
		Claim claim = claim();
		return (claim != null) ? claim.attempt() : 0;
	}

	/**
	 * Decides on a duplicate of a completed operation.
	 * @param policy how the operation is treated
	 * @param outcome its outcome
	 * @param attempt the attempt that has completed it
	 * @param origin where that attempt came from; {@code null} where it is not known
	 * @return a replay, a recovery or a refusal
	 */
	static Decision completed(OperationPolicy policy, Outcome outcome, int attempt, @Nullable Origin origin) {
		if (policy.whenCompleted() != WhenCompleted.REPLAY) {
			return new Refused(Refusal.DUPLICATE);
		}
		if (outcome instanceof Outcome.Stored stored) {
			return new Replay(stored, attempt, origin);
		}
		return policy.recovers() ? new Recover(null, attempt) : new Refused(Refusal.RESPONSE_UNAVAILABLE);
	}

	/**
	 * The operation runs under a claim, which must be ended.
	 *
	 * @param claim the claim
	 * @param rerun whether it runs again after an owner stopped renewing its claim
	 */
	record Run(Claim claim, boolean rerun) implements Decision {

		@Override
		public EffectProof proof() {
			return this.claim.proof();
		}

	}

	/**
	 * The operation runs without a claim, because the store is unavailable.
	 *
	 * @param proof the proof of its effect: its receipt, if it leaves one, still protects
	 * it
	 */
	record RunUnprotected(EffectProof proof) implements Decision {
	}

	/**
	 * The submission gets the answer of an earlier attempt.
	 *
	 * @param answer the stored answer
	 * @param attempt the attempt that gave it
	 * @param origin where that attempt came from; {@code null} where it is not known
	 */
	record Replay(Outcome.Stored answer, int attempt, @Nullable Origin origin) implements Decision {
	}

	/**
	 * The operation took effect in an earlier attempt. Its answer was not stored, but the
	 * application may be able to rebuild it.
	 *
	 * @param claim the claim under which the answer is rebuilt, and which must be ended;
	 * {@code null} if the record is completed without an answer
	 * @param attempt the current attempt
	 */
	record Recover(@Nullable Claim claim, int attempt) implements Decision {
	}

	/**
	 * The submission is refused.
	 *
	 * @param reason the reason
	 */
	record Refused(Refusal reason) implements Decision {
	}

}
