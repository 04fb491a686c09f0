package io.idempotent.engine.claim;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.engine.event.IdempotencyListeners;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.LeaseRenewer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Renews the claims of running operations, and repeats the writes that the store has not
 * accepted. Both have threads of their own, so that no renewal waits for a write. A claim
 * that ends before a third of its lease has passed costs only an entry in a set.
 */
final class LeaseKeeper implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseKeeper.class);

	private final PendingWrites pending;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService workers;

	private final LeaseRenewer<Claim> renewer;

	LeaseKeeper(IdempotencyStore store, IdempotencyListeners events) {
		this(store, events, Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("idempotent-lease-sweeper")),
				LeaseRenewer.workers("idempotent-lease-renewal"));
	}

	LeaseKeeper(IdempotencyStore store, IdempotencyListeners events, ScheduledExecutorService scheduler,
			ExecutorService workers) {
		this.pending = new PendingWrites(store, events);
		this.scheduler = scheduler;
		this.workers = workers;
		this.renewer = new LeaseRenewer<>(new ClaimRenewal(), scheduler, workers);
	}

	/**
	 * Renews a claim until it is forgotten.
	 * @param claim the claim; not renewed if this throws, since no thread could be
	 * started
	 */
	void keep(Claim claim) {
		if (claim.lease().needsRenewal()) {
			this.renewer.add(claim);
		}
	}

	void forget(Claim claim) {
		this.renewer.remove(claim);
	}

	/** How many claims are renewed. */
	int running() {
		return this.renewer.leases().size();
	}

	/** The writes that the store has not accepted yet. */
	PendingWrites pending() {
		return this.pending;
	}

	/** The claims that are renewed. */
	Stream<Claim> claims() {
		return this.renewer.leases().stream();
	}

	/**
	 * Stops renewing, and repeats the pending writes for the last time.
	 */
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
		this.pending.close();
	}

	/**
	 * Renewal is due after a third of the lease. A check each sixth leaves time to repeat
	 * a renewal that failed.
	 */
	private static final class ClaimRenewal implements LeaseRenewer.Policy<Claim> {

		@Override
		public boolean isDue(Claim claim) {
			return claim.isDue(System.nanoTime());
		}

		@Override
		public long nanosToNextCheck(Claim claim) {
			return claim.lease().duration().toNanos() / 6;
		}

		@Override
		public void renew(Claim claim) {
			try {
				claim.renewIfDue(System.nanoTime());
			}
			catch (StoreUnavailableException ex) {
				logger.debug("Could not renew the " + claim + "; the next check tries again", ex);
			}
		}

	}

}
