package io.idempotent.submission;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;

import io.idempotent.IdempotencyEvent;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.UnknownOperation;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.Claims.Answer;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.GateListener.ReceiptEvent;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.OperationReceipts.Proof;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides on one submission: asks the near cache, the store, the receipt, the policy and
 * the application, in this order, and waits for their answers.
 *
 * @param isError whether a stored answer is an error, in spite of which a receipt may
 * exist
 */
record Decider(IdempotencyGate.Services services, OperationPolicy policy, Submission submission,
		Predicate<Outcome.Stored> isError) {

	private static final Log logger = LogFactory.getLog(IdempotencyGate.class);

	/** Never throws because of the store. A claim in the decision must be ended. */
	Decision decide() {
		Decision cached = cached();
		return publish((cached != null) ? cached : claim());
	}

	/**
	 * Decides before its turn, when the decision is {@linkplain #publish published}.
	 * {@code null} if another owner runs it, or the store fails: then it is claimed when
	 * it is its turn.
	 */
	@Nullable Decision decideEarly() {
		Decision cached = cached();
		if (cached != null) {
			return cached;
		}
		ClaimRequest request = this.services.claims().request(this.policy, this.submission);
		try {
			Answer answer = ask(request);
			return (answer.result() instanceof ClaimResult.InProgress || answer.result() instanceof ClaimResult.Unknown)
					? null : answered(answer);
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			logger.debug("Operation '" + this.policy.operation() + "' (key " + request.key()
					+ ") is claimed again when it is its turn", ex);
			return null;
		}
	}

	/** Publishes the event of a decision whose turn it is, and returns the decision. */
	Decision publish(Decision decision) {
		IdempotencyListeners listeners = this.services.listeners();
		OperationKey key = this.submission.key();
		if (decision instanceof Decision.Refused refused) {
			listeners.refused(this.policy.operation(), key, refused.reason());
		}
		else if (decision instanceof Decision.Replay) {
			listeners.publish(IdempotencyEvent.Type.REPLAYED, this.policy.operation(), key);
		}
		else if (decision instanceof Decision.Run run) {
			listeners.publish(run.rerun() ? IdempotencyEvent.Type.RERUN : IdempotencyEvent.Type.GRANTED,
					this.policy.operation(), key);
		}
		else if (decision instanceof Decision.RunUnprotected) {
			listeners.publish(IdempotencyEvent.Type.UNPROTECTED, this.policy.operation(), key);
		}
		return decision;
	}

	private @Nullable Decision cached() {
		OutcomeCache.Entry cached = this.services.cache().find(this.submission.key());
		if (cached == null) {
			return null;
		}
		boolean same = cached.fingerprint().matches(this.submission.fingerprint(), this.submission.key());
		return same ? completed(cached.found()) : new Decision.Refused(Refusal.KEY_REUSED);
	}

	private Decision claim() {
		ClaimRequest request = this.services.claims().request(this.policy, this.submission);
		boolean waits = false;
		try {
			Answer answer = ask(request);
			waits = answer.result() instanceof ClaimResult.InProgress
					&& this.policy.whenInProgress() == WhenInProgress.WAIT;
			return waits ? await(request) : answered(answer);
		}
		catch (StoreUnavailableException ex) {
			return storeFailed(request, waits, ex);
		}
		catch (UnreadableRecordException ex) {
			logger.error("Operation '" + this.policy.operation()
					+ "' refused a submission, because its record cannot be read", ex);
			return new Decision.Refused(Refusal.RECORD_UNREADABLE);
		}
	}

	private Answer ask(ClaimRequest request) {
		return this.services.claims().claim(this.policy, request);
	}

	private Decision await(ClaimRequest request) {
		Answer last = this.services.waitRoom()
			.await(request.key(), this.policy.waitTimeout(), this.policy.retention(),
					() -> ask(request.whileListening()));
		return (last != null) ? answered(last) : new Decision.Refused(Refusal.IN_PROGRESS);
	}

	private Decision answered(Answer answer) {
		ClaimResult result = answer.result();
		if (result instanceof ClaimResult.Granted granted) {
			return granted(open(answer, granted), granted.tookOver());
		}
		if (result instanceof ClaimResult.Completed completed) {
			remember(completed, answer.requestedAt());
			return completed(completed);
		}
		if (result instanceof ClaimResult.Unknown) {
			return lapsed(answer.request());
		}
		if (result instanceof ClaimResult.NotIssued) {
			return notIssued();
		}
		return new Decision.Refused(
				(result instanceof ClaimResult.InProgress) ? Refusal.IN_PROGRESS : Refusal.KEY_REUSED);
	}

	/** A burnt key counts as completed while its operation runs, which may release it. */
	private void remember(ClaimResult.Completed completed, long requestedAt) {
		if (this.policy.whenCompleted() != WhenCompleted.BURN) {
			this.services.cache()
				.put(this.submission.key(),
						OutcomeCache.Entry.of(this.submission.fingerprint(), completed, requestedAt));
		}
	}

	/** The store may have lost the record of a used token: its receipt answers. */
	private Decision notIssued() {
		Proof proof = proof();
		Outcome committed = decisive(proof);
		return (committed != null) ? answeredByReceipt(committed)
				: new Decision.Refused(proof.isReused() ? Refusal.KEY_REUSED : Refusal.TOKEN_UNKNOWN);
	}

	private Decision answeredByReceipt(Outcome committed) {
		return Decision.completed(this.policy, new ClaimResult.Completed(committed, 0, Duration.ZERO, null));
	}

	/**
	 * The receipt may hold the result that the record does not have, or prove an effect
	 * that was committed after an error was recorded.
	 */
	private Decision completed(ClaimResult.Completed done) {
		boolean lacksResult = !(done.outcome() instanceof Outcome.Stored stored) || this.isError.test(stored);
		if (!lacksResult || this.policy.whenCompleted() != WhenCompleted.REPLAY) {
			return Decision.completed(this.policy, done);
		}
		Outcome committed = proof().outcome();
		return Decision.completed(this.policy, (committed != null) ? done.as(committed) : done);
	}

	/** The receipt of a lapsed claim decides, else the policy, else the application. */
	private Decision granted(Claim claim, boolean tookOver) {
		if (!tookOver) {
			return new Decision.Run(claim, false);
		}
		try {
			Outcome committed = decisive(
					this.services.receipts().lookUp(this.policy, this.submission.key(), this.submission.fingerprint()));
			if (committed != null) {
				return answerEffect(claim, committed);
			}
		}
		catch (StoreUnavailableException ex) {
			// A second run would not be committed, but its calls of others would remain.
			claim.end(End.UNKNOWN);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
		return switch (verdict(claim)) {
			case HAPPENED -> answerEffect(claim, Outcome.TOMBSTONE);
			case DID_NOT_HAPPEN -> new Decision.Run(claim, true);
			case CANNOT_TELL -> {
				claim.end(End.UNKNOWN);
				yield new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
			}
		};
	}

	private Proof proof() {
		return this.services.receipts().find(this.policy, this.submission.key(), this.submission.fingerprint());
	}

	/** It decides on an operation that is in doubt. */
	private @Nullable Outcome decisive(Proof proof) {
		if (proof.outcome() != null) {
			this.services.listeners().receipt(ReceiptEvent.RESOLVED);
		}
		return proof.outcome();
	}

	private Claim open(Answer answer, ClaimResult.Granted granted) {
		return this.services.claims().open(this.policy, this.submission, answer, granted);
	}

	private Verdict verdict(Claim claim) {
		if (this.policy.whenUnknown() != WhenUnknown.ASK) {
			return (this.policy.whenUnknown() == WhenUnknown.REJECT) ? Verdict.CANNOT_TELL : Verdict.DID_NOT_HAPPEN;
		}
		OutcomeVerifier verifier = this.services.verifier();
		if (verifier == null) {
			return Verdict.CANNOT_TELL;
		}
		try {
			return Objects.requireNonNull(verifier
				.verify(new UnknownOperation(this.policy.operation(), this.submission.keyValue(), claim.attempt())));
		}
		catch (Throwable ex) {
			// Errors too, and checked exceptions of Kotlin: the claim must end.
			logger.error("The OutcomeVerifier failed: it is unknown whether operation '" + this.policy.operation()
					+ "' (key " + claim.key() + ") took effect", ex);
			return Verdict.CANNOT_TELL;
		}
	}

	/**
	 * Takes the lapsed claim over only if a receipt proves its effect: the previous owner
	 * may still complete it, and repeats must not extend the life of the record.
	 */
	private Decision lapsed(ClaimRequest request) {
		Outcome committed = decisive(proof());
		if (committed == null) {
			return new Decision.Refused(Refusal.OUTCOME_UNKNOWN);
		}
		try {
			Answer answer = ask(request.takingOver());
			return (answer.result() instanceof ClaimResult.Granted granted)
					? answerEffect(open(answer, granted), committed) : answered(answer);
		}
		catch (StoreUnavailableException ex) {
			logger.debug("A receipt answers for the store", ex);
			return answeredByReceipt(committed);
		}
	}

	/** The answer is rebuilt under the claim, or the claim ends. */
	private Decision answerEffect(Claim claim, Outcome outcome) {
		if (this.policy.recovers() && this.policy.whenCompleted() == WhenCompleted.REPLAY
				&& !(outcome instanceof Outcome.Stored)) {
			return new Decision.Recover(claim, claim.attempt(), Duration.ZERO);
		}
		Duration remembered = claim.end(End.proven(outcome));
		return Decision.completed(this.policy, new ClaimResult.Completed(outcome, claim.attempt(), remembered, null));
	}

	/**
	 * If it has waited, the operation was running when the store last answered: never run
	 * it twice. On an interrupted thread, a failure says nothing about the store.
	 */
	private Decision storeFailed(ClaimRequest request, boolean waited, StoreUnavailableException ex) {
		if (waited || Thread.currentThread().isInterrupted() || this.policy.whenStoreFails() == WhenStoreFails.REJECT) {
			logger.debug("Operation '" + this.policy.operation() + "' was refused", ex);
			return new Decision.Refused(Refusal.STORE_UNAVAILABLE);
		}
		logger.debug("Operation '" + this.policy.operation() + "' runs without "
				+ (this.policy.receipt() ? "a claim, under its receipt alone" : "protection"), ex);
		return new Decision.RunUnprotected(this.services.receipts().of(this.policy, request.claimId(0)));
	}

}
