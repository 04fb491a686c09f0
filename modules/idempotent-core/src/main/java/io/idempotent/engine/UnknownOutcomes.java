package io.idempotent.engine;

import java.util.Objects;
import java.util.Optional;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.UnknownOperation;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides on an operation whose former owner stopped renewing its claim: its receipt
 * tells, or else its policy.
 */
final class UnknownOutcomes {

	private static final Log logger = LogFactory.getLog(UnknownOutcomes.class);

	private final @Nullable OutcomeVerifier verifier;

	private final @Nullable Receipts receipts;

	private final IdempotencyListeners events;

	UnknownOutcomes(@Nullable OutcomeVerifier verifier, @Nullable Receipts receipts, IdempotencyListeners events) {
		this.verifier = verifier;
		this.receipts = receipts;
		this.events = events;
	}

	/**
	 * Decides a claim that was taken over.
	 * @param policy how the operation is treated
	 * @param submission who took it over
	 * @param claim the claim
	 * @return the decision
	 */
	Decision resolve(OperationPolicy policy, Submission submission, Claim claim) {
		Optional<Outcome> committed = receipt(policy, claim.key());
		if (committed.isPresent()) {
			return happened(policy, claim, committed.get());
		}
		return switch (unproven(policy, submission, claim)) {
			case HAPPENED -> happened(policy, claim, Outcome.TOMBSTONE);
			case DID_NOT_HAPPEN -> {
				this.events.tell(IdempotencyEvent.Type.RERUN, policy.operation(), claim.key());
				yield new Decision.Run(claim);
			}
			case CANNOT_TELL -> {
				claim.abandon();
				yield new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
			}
		};
	}

	/**
	 * What to make of an effect of which there is no proof.
	 */
	private Verdict unproven(OperationPolicy policy, Submission submission, Claim claim) {
		return switch (policy.whenUnknown()) {
			case ASK -> ask(policy, submission, claim);
			case REJECT -> Verdict.CANNOT_TELL;
			default -> Verdict.DID_NOT_HAPPEN;
		};
	}

	/**
	 * Looks for the receipt of an operation.
	 * @param policy how the operation is treated
	 * @param key which operation
	 * @return what was kept with it, if there is one and it can be read
	 */
	Optional<Outcome> receipt(OperationPolicy policy, OperationKey key) {
		if (!policy.receipt() || this.receipts == null) {
			return Optional.empty();
		}
		try {
			return this.receipts.find(key).map(Receipts.Receipt::outcome);
		}
		catch (RuntimeException | Error ex) {
			// It may run: a second effect would not be committed. Whatever it is, the
			// claim must end.
			logger.warn("Could not look up the receipt of operation '" + policy.operation() + "' (key " + key
					+ "), whose outcome is unknown: it is treated as if there were none", ex);
			return Optional.empty();
		}
	}

	/**
	 * The operation took effect in an earlier attempt.
	 * @param policy how the operation is treated
	 * @param claim the claim that was taken over
	 * @param outcome its outcome
	 * @return the decision
	 */
	Decision happened(OperationPolicy policy, Claim claim, Outcome outcome) {
		claim.tookEffectBefore(outcome);
		if (policy.recovers() && policy.whenCompleted() == WhenCompleted.REPLAY
				&& !(outcome instanceof Outcome.Stored)) {
			return new Decision.Recover(claim, claim.attempt());
		}
		claim.complete(outcome, claim.retention());
		return Decision.completed(policy, outcome, claim.attempt());
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
			// Whatever it is (Kotlin throws checked exceptions too), the claim must end.
			logger.error("The OutcomeVerifier failed: it is unknown whether operation '" + policy.operation()
					+ "' (key " + claim.key() + ") took effect", ex);
			return Verdict.CANNOT_TELL;
		}
	}

}
