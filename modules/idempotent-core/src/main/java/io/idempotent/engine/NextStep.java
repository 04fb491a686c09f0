package io.idempotent.engine;

import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import org.jspecify.annotations.Nullable;

/**
 * What follows for a submission from what the near cache, the store, the receipt or the
 * application has answered. Pure functions; {@link IdempotencyGate} asks and waits.
 */
sealed interface NextStep {

	record Decided(Decision decision) implements NextStep {
	}

	record TookEffect(Outcome outcome) implements NextStep {
	}

	enum Action implements NextStep {

		/** The running operation ends first, or the time to wait: then claim again. */
		WAIT,

		/** Does the receipt hold the result that the record does not have? */
		FIND_RESULT,

		/** The previous owner stopped renewing: is there a receipt? */
		FIND_RECEIPT,

		/** There is no receipt: what does the application say? */
		ASK_APPLICATION,

		RUN,

		RERUN,

		/** The claim ends, and its outcome is unknown. */
		LEAVE_UNKNOWN,

		RUN_UNPROTECTED

	}

	static NextStep afterCacheHit(OperationPolicy policy, Submission submission, OutcomeCache.Entry cached,
			ClaimResult.Completed done) {
		return cached.fingerprint().matches(submission.fingerprint(), submission.key()) ? completed(policy, done)
				: refused(Refusal.KEY_REUSED);
	}

	/** The submission waits once at most. */
	static NextStep afterClaim(OperationPolicy policy, ClaimResult answer, boolean mayWait) {
		if (answer instanceof ClaimResult.Granted granted) {
			return granted.tookOver() ? Action.FIND_RECEIPT : Action.RUN;
		}
		if (answer instanceof ClaimResult.InProgress) {
			return (mayWait && policy.whenInProgress() == WhenInProgress.WAIT) ? Action.WAIT
					: refused(Refusal.IN_PROGRESS);
		}
		if (answer instanceof ClaimResult.Completed completed) {
			return completed(policy, completed);
		}
		if (answer instanceof ClaimResult.Unknown) {
			return Action.FIND_RECEIPT;
		}
		return refused((answer instanceof ClaimResult.KeyReused) ? Refusal.KEY_REUSED : Refusal.TOKEN_UNKNOWN);
	}

	/**
	 * Without a claim, the record is unchanged: without a receipt, the previous owner may
	 * still complete it, and repeats must not extend the life of the record.
	 */
	static NextStep afterReceipt(OperationPolicy policy, boolean claimed, @Nullable Outcome committed) {
		if (committed != null) {
			return new TookEffect(committed);
		}
		if (!claimed) {
			return refused(Refusal.OUTCOME_UNKNOWN);
		}
		if (policy.whenUnknown() == WhenUnknown.ASK) {
			return Action.ASK_APPLICATION;
		}
		return (policy.whenUnknown() == WhenUnknown.REJECT) ? Action.LEAVE_UNKNOWN : Action.RERUN;
	}

	static NextStep afterVerdict(Verdict verdict) {
		return switch (verdict) {
			case HAPPENED -> new TookEffect(Outcome.TOMBSTONE);
			case DID_NOT_HAPPEN -> Action.RERUN;
			case CANNOT_TELL -> Action.LEAVE_UNKNOWN;
		};
	}

	/**
	 * If it has waited, the operation was running when the store last answered: never run
	 * it twice. On an interrupted thread, a failure says nothing about the store.
	 */
	static NextStep afterOutage(OperationPolicy policy, boolean waited, boolean interrupted) {
		return (waited || interrupted || policy.whenStoreFails() == WhenStoreFails.REJECT)
				? refused(Refusal.STORE_UNAVAILABLE) : Action.RUN_UNPROTECTED;
	}

	private static NextStep completed(OperationPolicy policy, ClaimResult.Completed done) {
		boolean lookUp = done.outcome() instanceof Outcome.Tombstone && policy.whenCompleted() == WhenCompleted.REPLAY;
		return lookUp ? Action.FIND_RESULT : new Decided(Decision.completed(policy, done));
	}

	private static NextStep refused(Refusal reason) {
		return new Decided(new Decision.Refused(reason));
	}

}
