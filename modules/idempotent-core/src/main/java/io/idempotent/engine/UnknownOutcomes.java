package io.idempotent.engine;

import java.util.Objects;
import java.util.Optional;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.UnknownOperation;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.claim.Claim;
import io.idempotent.engine.claim.Ending;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides on an operation whose previous owner stopped renewing its claim: by its
 * receipt, otherwise by its policy.
 */
final class UnknownOutcomes {

	private static final Log logger = LogFactory.getLog(UnknownOutcomes.class);

	private final @Nullable OutcomeVerifier verifier;

	private final OperationReceipts receipts;

	private final IdempotencyListeners listeners;

	UnknownOutcomes(@Nullable OutcomeVerifier verifier, OperationReceipts receipts, IdempotencyListeners listeners) {
		this.verifier = verifier;
		this.receipts = receipts;
		this.listeners = listeners;
	}

	/**
	 * Decides on a claim that was taken over.
	 * @param policy how the operation is treated
	 * @param submission the submission that took it over
	 * @param claim the claim
	 */
	Decision resolve(OperationPolicy policy, Submission submission, Claim claim) {
		Optional<Outcome> committed = this.receipts.resolve(policy, claim.key());
		if (committed.isPresent()) {
			return tookEffect(policy, claim, committed.get());
		}
		return switch (unproven(policy, submission, claim)) {
			case HAPPENED -> tookEffect(policy, claim, Outcome.TOMBSTONE);
			case DID_NOT_HAPPEN -> {
				this.listeners.publish(IdempotencyEvent.Type.RERUN, policy.operation(), claim.key());
				yield new Decision.Run(claim, true);
			}
			case CANNOT_TELL -> {
				claim.end(Ending.Plain.UNKNOWN);
				yield new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
			}
		};
	}

	/**
	 * Decides by the policy, if there is no proof of an effect.
	 */
	private Verdict unproven(OperationPolicy policy, Submission submission, Claim claim) {
		return switch (policy.whenUnknown()) {
			case ASK -> ask(policy, submission, claim);
			case REJECT -> Verdict.CANNOT_TELL;
			default -> Verdict.DID_NOT_HAPPEN;
		};
	}

	/**
	 * The operation took effect in an earlier attempt.
	 * @param policy how the operation is treated
	 * @param claim the claim that was taken over
	 * @param outcome its outcome
	 */
	Decision tookEffect(OperationPolicy policy, Claim claim, Outcome outcome) {
		claim.tookEffectBefore(outcome);
		if (policy.recovers() && policy.whenCompleted() == WhenCompleted.REPLAY
				&& !(outcome instanceof Outcome.Stored)) {
			return new Decision.Recover(claim, claim.attempt());
		}
		claim.end(new Ending.Completed(outcome));
		return Decision.completed(policy, outcome, claim.attempt(), null);
	}

	private Verdict ask(OperationPolicy policy, Submission submission, Claim claim) {
		if (this.verifier == null) {
			return Verdict.CANNOT_TELL;
		}
		try {
			return Objects.requireNonNull(this.verifier
				.verify(new UnknownOperation(policy.operation(), submission.keyValue(), claim.attempt())));
		}
		catch (Throwable ex) {
			// Errors too, and checked exceptions of Kotlin: the claim must end.
			logger.error("The OutcomeVerifier failed: it is unknown whether operation '" + policy.operation()
					+ "' (key " + claim.key() + ") took effect", ex);
			return Verdict.CANNOT_TELL;
		}
	}

}
