package io.idempotent.submission.claim;

import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Origin;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.event.WatchedStore;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.OperationReceipts;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.RecurringWork;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Claims keys in the store, and keeps the claims until their ends are recorded. A claim
 * that fails is repeated once by the same owner, whom the store recognizes if it had
 * granted the first one. If both fail, and one may have taken effect, the claim is
 * withdrawn in the background. Periodic renewals and retries of writes have threads of
 * their own, so that no renewal waits for a write.
 */
public final class Claims implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Claims.class);

	private final Services services;

	private final Function<String, @Nullable Origin> origins;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService workers;

	private final RecurringWork<Claim> renewals;

	private final SecureRandom random = new SecureRandom();

	public Claims(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
			Function<String, @Nullable Origin> origins) {
		this(store, cache, listeners, receipts, origins,
				Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("idempotent-lease-sweeper")),
				DaemonThreads.workers("idempotent-lease-renewal", store.renewalsAtOnce()));
	}

	Claims(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
			Function<String, @Nullable Origin> origins, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.services = new Services(store, cache, listeners, receipts, new PendingWrites(store, listeners));
		this.origins = origins;
		this.scheduler = scheduler;
		this.workers = workers;
		this.renewals = new RecurringWork<>(new Renewal(), scheduler, workers);
	}

	Services services() {
		return this.services;
	}

	public ClaimRequest request(OperationPolicy policy, Submission submission) {
		return submission.request(policy, Owner.draw(this.random), this.services.cache() != OutcomeCache.NONE,
				this.origins.apply(policy.operation()));
	}

	/**
	 * Where the record or the request has nothing that could be compared, the record
	 * counts: the request of the answer has what the record compares.
	 */
	public Answer claim(OperationPolicy policy, ClaimRequest request) {
		Answer answer = ask(policy, request);
		if (!(answer.result() instanceof ClaimResult.KeyReused reused)
				|| !request.fingerprint().matches(reused.recorded(), request.key())) {
			return answer;
		}
		Answer again = ask(policy, request.with(reused.recorded()));
		// The near cache would keep it with the fingerprint of the submission.
		return (again.result() instanceof ClaimResult.Completed done)
				? new Answer(again.request(), again.requestedAt(), done.uncached()) : again;
	}

	private Answer ask(OperationPolicy policy, ClaimRequest request) {
		long requestedAt = System.nanoTime();
		return new Answer(request, requestedAt, claimOrWithdraw(policy, request));
	}

	/** After an unexpected failure, the claim may have been granted. */
	private ClaimResult claimOrWithdraw(OperationPolicy policy, ClaimRequest request) {
		try {
			return claimWithRetry(policy, request);
		}
		catch (StoreUnavailableException | UnreadableRecordException ex) {
			throw ex;
		}
		catch (Throwable ex) {
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

	/** Repeats a claim at once, which recognizes a grant whose reply was lost. */
	private ClaimResult claimAgain(OperationPolicy policy, ClaimRequest request, StoreUnavailableException first) {
		try {
			return this.services.store().claim(request);
		}
		catch (StoreUnavailableException last) {
			if (first.mayHaveTakenEffect() || last.mayHaveTakenEffect()) {
				withdraw(policy, request);
			}
			String both = last.getMessage() + ". It was tried twice";
			StoreUnavailableException failure = last.mayHaveTakenEffect() ? new StoreUnavailableException(both, last)
					: StoreUnavailableException.withoutEffect(both, last);
			failure.addSuppressed(first);
			throw failure;
		}
	}

	/** Withdraws a claim, under which nothing runs, after its reply was lost. */
	private void withdraw(OperationPolicy policy, ClaimRequest request) {
		this.services.pending().add(new PendingWrite.Withdrawal(request, policy.operation(), false));
	}

	/**
	 * Creates the granted claim and starts its renewal; ends it if no thread can be
	 * started.
	 */
	public Claim open(OperationPolicy policy, Submission submission, Answer answer, ClaimResult.Granted granted) {
		ClaimId id = answer.request().claimId(granted.attempt());
		Claim claim = new Claim(id, policy, answer.request(), submission.retention(policy.retention()),
				answer.requestedAt(), this);
		try {
			startRenewal(claim);
		}
		catch (Throwable ex) {
			claim.end(granted.tookOver() ? End.UNKNOWN : End.RELEASED);
			throw ex;
		}
		return claim;
	}

	/** Not if this throws, because no thread can be started. */
	void startRenewal(Claim claim) {
		if (claim.isLeased()) {
			this.renewals.add(claim);
		}
	}

	/** If it is due; without effect if the store does not answer. */
	static void renew(Claim claim) {
		try {
			claim.renewIfDue(System.nanoTime());
		}
		catch (StoreUnavailableException ex) {
			logger.debug("Could not renew the " + claim + "; the next check tries again", ex);
		}
		catch (Throwable ex) {
			logger.warn("Could not renew the " + claim + "; the next check tries again", ex);
		}
	}

	void stopRenewal(Claim claim) {
		this.renewals.remove(claim);
	}

	/** An unmodifiable view of the claims that are renewed. */
	public Set<Claim> running() {
		return this.renewals.items();
	}

	public int countPending() {
		return this.services.pending().size();
	}

	public long pendingBytes() {
		return this.services.pending().bytes();
	}

	public void flush() {
		this.services.pending().flush();
	}

	@Override
	public void close() {
		this.scheduler.shutdownNow();
		this.workers.shutdownNow();
		try {
			this.workers.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.services.pending().close();
	}

	/**
	 * What the store has answered.
	 *
	 * @param requestedAt the nano time before it was asked
	 */
	public record Answer(ClaimRequest request, long requestedAt, ClaimResult result) {
	}

	/** What all claims share. */
	record Services(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
			PendingWrites pending) {
	}

	/** Due after a third of the lease. */
	private static final class Renewal implements RecurringWork.Policy<Claim> {

		@Override
		public boolean isDue(Claim claim) {
			return claim.isDue(System.nanoTime());
		}

		@Override
		public long nanosToNextCheck(Claim claim) {
			return claim.nanosToNextCheck();
		}

		@Override
		public void perform(Claim claim) {
			Claims.renew(claim);
		}

	}

}
