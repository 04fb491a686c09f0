package io.idempotent.engine;

import java.security.SecureRandom;
import java.time.Duration;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;

/**
 * Claims keys in the store. A claim whose reply was lost is repeated by the same owner,
 * which the store recognizes; if it stays unanswered, it is withdrawn in the background.
 */
final class ClaimAcquisition {

	private final ClaimServices services;

	private final Origins origins;

	private final SecureRandom random = new SecureRandom();

	ClaimAcquisition(ClaimServices services, Origins origins) {
		this.origins = origins;
		this.services = services;
	}

	/**
	 * Creates the request of a submission, with an owner of its own.
	 * @param policy how the operation is treated
	 * @param submission the submission
	 */
	ClaimRequest request(OperationPolicy policy, Submission submission) {
		return new ClaimRequest(submission.key(), Owner.draw(this.random), submission.fingerprint(), policy.lease(),
				recordLife(policy.lease(), retention(policy, submission)), submission.admission(),
				(policy.whenUnknown() == WhenUnknown.REJECT) ? ClaimRequest.Lapsed.LEAVE
						: ClaimRequest.Lapsed.TAKE_OVER,
				(policy.whenCompleted() == WhenCompleted.BURN) ? ClaimRequest.Term.BURNT : ClaimRequest.Term.LEASED,
				false, this.origins.of(policy.operation()));
	}

	private static Duration retention(OperationPolicy policy, Submission submission) {
		return (submission.keyLife().compareTo(policy.retention()) > 0) ? submission.keyLife() : policy.retention();
	}

	/**
	 * How long the record of a running operation is kept without renewal. It outlives the
	 * lease, so that an unknown outcome is distinguished from an operation that never
	 * ran: where the retention is shorter than the lease, by the retention.
	 */
	private static Duration recordLife(Duration lease, Duration retention) {
		return (retention.compareTo(lease) < 0) ? lease.plus(retention) : retention;
	}

	/**
	 * Claims a key. After an unexpected failure of the store, which may have granted the
	 * claim, the claim is withdrawn.
	 * @param policy how the operation is treated
	 * @param request the request
	 * @return what the claim met
	 * @throws StoreUnavailableException if the store did not answer
	 * @throws UnreadableRecordException if the record cannot be read
	 */
	ClaimResult claim(OperationPolicy policy, ClaimRequest request) {
		try {
			return claimWithRetry(policy, request);
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			withdraw(policy, request);
			throw ex;
		}
	}

	private ClaimResult claimWithRetry(OperationPolicy policy, ClaimRequest request) {
		try {
			return this.services.store().claim(request);
		}
		catch (StoreUnavailableException first) {
			return claimAgain(policy, request, first);
		}
	}

	/**
	 * Repeats a claim at once, which recognizes a grant whose reply was lost.
	 */
	private ClaimResult claimAgain(OperationPolicy policy, ClaimRequest request, StoreUnavailableException first) {
		try {
			return this.services.store().claim(request);
		}
		catch (StoreUnavailableException last) {
			last.addSuppressed(first);
			if (first.mayHaveTakenEffect() || last.mayHaveTakenEffect()) {
				withdraw(policy, request);
			}
			throw last;
		}
	}

	/**
	 * Withdraws a claim that the store may have granted although its reply was lost.
	 * Nothing runs under that claim.
	 */
	private void withdraw(OperationPolicy policy, ClaimRequest request) {
		ClaimId unconfirmed = new ClaimId(request.key(), request.owner(), request.fingerprint(), 0);
		this.services.leases()
			.retryLater(PendingWrite.withdrawal(unconfirmed, policy.operation(),
					new ClaimCompletion.Withdrawn(request, false)));
	}

	/**
	 * Creates the claim that the store has granted, and starts its renewal.
	 * @param policy how the operation is treated
	 * @param submission the submission
	 * @param request the request
	 * @param granted the store's reply
	 * @param requestedAt when it was requested, by {@link System#nanoTime()}
	 * @return the claim, which must be ended
	 */
	Claim open(OperationPolicy policy, Submission submission, ClaimRequest request, ClaimResult.Granted granted,
			long requestedAt) {
		ClaimId id = new ClaimId(request.key(), request.owner(), request.fingerprint(), granted.attempt());
		Claim claim = new Claim(id, policy, request, this.services, requestedAt);
		claim.rememberFor(retention(policy, submission));
		try {
			this.services.leases().keep(claim);
		}
		catch (Throwable ex) {
			claim.giveBack();
			throw ex;
		}
		return claim;
	}

}
