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

	default EffectProof proof() {
		return EffectProof.NONE;
	}

	/** The claim must be ended. */
	default @Nullable Claim claim() {
		return null;
	}

	/** The attempt that runs or gave the answer, 0 if there is none. */
	default int attempt() {
		Claim claim = claim();
		return (claim != null) ? claim.attempt() : 0;
	}

	static Decision completed(OperationPolicy policy, Outcome outcome, int attempt, @Nullable Origin origin) {
		if (policy.whenCompleted() != WhenCompleted.REPLAY) {
			return new Refused(Refusal.DUPLICATE);
		}
		if (outcome instanceof Outcome.Stored stored) {
			return new Replay(stored, attempt, origin);
		}
		return policy.recovers() ? new Recover(null, attempt) : new Refused(Refusal.RESPONSE_UNAVAILABLE);
	}

	/** The claim comes with the decision only if the answer is rebuilt under it. */
	static Decision tookEffect(OperationPolicy policy, Claim claim, Outcome outcome) {
		boolean rebuilds = policy.recovers() && policy.whenCompleted() == WhenCompleted.REPLAY
				&& !(outcome instanceof Outcome.Stored);
		return rebuilds ? new Recover(claim, claim.attempt()) : completed(policy, outcome, claim.attempt(), null);
	}

	/** The claim must be ended; {@code rerun} if an owner stopped renewing before. */
	record Run(Claim claim, boolean rerun) implements Decision {

		@Override
		public EffectProof proof() {
			return this.claim.proof();
		}

	}

	/** The store is unavailable. A receipt, if any, still protects the operation. */
	record RunUnprotected(EffectProof proof) implements Decision {
	}

	/** The submission gets an earlier attempt's answer; the origin may be unknown. */
	record Replay(Outcome.Stored answer, int attempt, @Nullable Origin origin) implements Decision {
	}

	/**
	 * An earlier attempt took effect, and its answer was not stored. It may be rebuilt
	 * under the claim, which must be ended; {@code null} if the record has no answer.
	 */
	record Recover(@Nullable Claim claim, int attempt) implements Decision {
	}

	record Refused(Refusal reason) implements Decision {
	}

}
