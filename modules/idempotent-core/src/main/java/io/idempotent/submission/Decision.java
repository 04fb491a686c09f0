package io.idempotent.submission;

import java.time.Duration;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.AttemptReceipt;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a submission. A decision never changes, but its receipt may show later
 * that the operation {@linkplain #tookEffect took effect}.
 */
public sealed interface Decision {

	default AttemptReceipt receipt() {
		return AttemptReceipt.NONE;
	}

	/** The claim must be ended. */
	default @Nullable Claim claim() {
		return null;
	}

	/**
	 * Whether an effect is known by now, which forbids a run: by the receipt of any
	 * attempt or, to {@link Recover}, from the start. Asks no database.
	 */
	default boolean tookEffect() {
		return receipt().exists();
	}

	/**
	 * How a claim ends under which nothing has begun: what was known, or unknown, before
	 * stays so.
	 */
	default End endWithoutRun() {
		return End.RELEASED;
	}

	/** The attempt that runs or gave the answer, 0 if there is none. */
	default int attempt() {
		Claim claim = claim();
		return (claim != null) ? claim.attempt() : 0;
	}

	/** Of the run that is replayed; {@code null} where it is not known. */
	default @Nullable Origin origin() {
		return null;
	}

	/**
	 * How long the completed operation of an earlier attempt is remembered from now on;
	 * zero if there is none, or if it is not known.
	 */
	default Duration retentionLeft() {
		return Duration.ZERO;
	}

	static Decision completed(OperationPolicy policy, ClaimResult.Completed found) {
		if (policy.whenCompleted() != WhenCompleted.REPLAY) {
			return new Refused(Refusal.DUPLICATE, found.retentionLeft());
		}
		if (found.outcome() instanceof Outcome.Stored stored) {
			return new Replay(stored, found.attempt(), found.origin(), found.retentionLeft());
		}
		return policy.recovers() ? new Recover(null, found.attempt(), found.retentionLeft())
				: new Refused(Refusal.RESPONSE_UNAVAILABLE, found.retentionLeft());
	}

	/** The claim must be ended; {@code rerun} if an owner stopped renewing before. */
	record Run(Claim claim, boolean rerun) implements Decision {

		@Override
		public AttemptReceipt receipt() {
			return this.claim.receipt();
		}

		@Override
		public End endWithoutRun() {
			return this.rerun ? End.UNKNOWN : End.RELEASED;
		}

	}

	/** The store is unavailable. A receipt, if any, still protects the operation. */
	record RunUnprotected(AttemptReceipt receipt) implements Decision {
	}

	/** The submission gets an earlier attempt's answer; the origin may be unknown. */
	record Replay(Outcome.Stored answer, int attempt, @Nullable Origin origin,
			Duration retentionLeft) implements Decision {
	}

	/**
	 * An earlier attempt took effect, and its answer was not stored. It may be rebuilt
	 * under the claim, which must be ended; {@code null} if the record has no answer.
	 */
	record Recover(@Nullable Claim claim, int attempt, Duration retentionLeft) implements Decision {

		@Override
		public boolean tookEffect() {
			return true;
		}

		@Override
		public End endWithoutRun() {
			return End.DONE_WITHOUT_ANSWER;
		}

	}

	/** The result of an operation that took effect earlier. */
	record RecoveredResult(@Nullable Object value) {
	}

	record Refused(Refusal reason, Duration retentionLeft) implements Decision {

		/** No completed operation is known. */
		public Refused(Refusal reason) {
			this(reason, Duration.ZERO);
		}

	}

}
