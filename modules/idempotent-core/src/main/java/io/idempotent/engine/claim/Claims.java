package io.idempotent.engine.claim;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.stream.Stream;

import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.engine.receipt.OperationReceipts;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;

/**
 * Claims keys in the store, and keeps the claims until they have ended. A claim whose
 * reply was lost is repeated by the same owner, which the store recognizes; if it stays
 * unanswered, it is withdrawn in the background.
 */
public final class Claims implements AutoCloseable {

	private final ClaimServices services;

	private final LeaseKeeper leases;

	private final Origins origins;

	private final SecureRandom random = new SecureRandom();

	/**
	 * Creates the claims of a gate.
	 * @param store where records are kept
	 * @param cache the near cache of completed outcomes
	 * @param listeners publishes events
	 * @param receipts the receipts of operations
	 * @param origins creates the origins of claims
	 */
	public Claims(IdempotencyStore store, OutcomeCache cache, IdempotencyListeners listeners,
			OperationReceipts receipts, Origins origins) {
		this.leases = new LeaseKeeper(store, listeners);
		this.services = new ClaimServices(store, this.leases.pending(), cache, listeners, receipts);
		this.origins = origins;
	}

	/**
	 * Creates the request of a submission, with an owner of its own.
	 * @param policy how the operation is treated
	 * @param submission the submission
	 */
	public ClaimRequest request(OperationPolicy policy, Submission submission) {
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
	public ClaimResult claim(OperationPolicy policy, ClaimRequest request) {
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
		this.services.pending()
			.add(PendingWrite.withdrawal(unconfirmed, policy.operation(), new PendingWrite.Withdrawn(request, false)));
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
	public Claim open(OperationPolicy policy, Submission submission, ClaimRequest request, ClaimResult.Granted granted,
			long requestedAt) {
		ClaimId id = new ClaimId(request.key(), request.owner(), request.fingerprint(), granted.attempt());
		Claim claim = new Claim(id, policy, request, requestedAt, this.services, this.leases::forget);
		claim.rememberFor(retention(policy, submission));
		try {
			this.leases.keep(claim);
		}
		catch (Throwable ex) {
			claim.end(Ending.Plain.NOT_STARTED);
			throw ex;
		}
		return claim;
	}

	/**
	 * The claims that are renewed.
	 */
	public Stream<Claim> running() {
		return this.leases.claims();
	}

	/**
	 * How many claims are renewed.
	 */
	public int countRunning() {
		return this.leases.running();
	}

	/**
	 * How many ends of claims the store has not accepted yet.
	 */
	public int countPending() {
		return this.services.pending().size();
	}

	/**
	 * The memory of the ends that the store has not accepted yet.
	 */
	public long pendingBytes() {
		return this.services.pending().bytes();
	}

	/**
	 * Repeats the writes that the store has not accepted once, now.
	 */
	public void flush() {
		this.services.pending().flush();
	}

	/**
	 * Stops renewing, and repeats these writes for the last time.
	 */
	@Override
	public void close() {
		this.leases.close();
	}

}
