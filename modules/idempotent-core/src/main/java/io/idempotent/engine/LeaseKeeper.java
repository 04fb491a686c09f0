package io.idempotent.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renews the claims of running operations and tells the store of ended ones that it did
 * not take. Both have threads of their own, so that no renewal waits for an end. A claim
 * costs an entry in a set and nothing more until a third of its lease has passed.
 *
 * <p>
 * One thread looks which claims are due, as often as the shortest lease among them needs;
 * a few others, which end when there is nothing to do, renew them, so that one renewal
 * that has to wait (for a locked row, or for one node of a cluster) does not hold up the
 * others.
 */
final class LeaseKeeper implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseKeeper.class);

	private static final long LONGEST_PERIOD = TimeUnit.SECONDS.toNanos(1);

	/** However short a lease, the sweeper must not spin. */
	private static final long SHORTEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long NOTHING_TO_DO = Long.MAX_VALUE;

	private static final int RENEWALS_AT_A_TIME = 4;

	private final Set<Claim> claims = ConcurrentHashMap.newKeySet();

	private final Set<Claim> renewing = ConcurrentHashMap.newKeySet();

	private final PendingWrites pending;

	private final ScheduledExecutorService sweeper;

	private final ExecutorService renewals;

	private final Object scheduling = new Object();

	/** How soon the next sweep was asked for. */
	private volatile long period = NOTHING_TO_DO;

	private @Nullable ScheduledFuture<?> next;

	LeaseKeeper(IdempotencyStore store, IdempotencyListeners events) {
		this(store, events, Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("idempotent-lease-sweeper")),
				renewals());
	}

	LeaseKeeper(IdempotencyStore store, IdempotencyListeners events, ScheduledExecutorService sweeper,
			ExecutorService renewals) {
		this.pending = new PendingWrites(store, events);
		this.sweeper = sweeper;
		this.renewals = renewals;
	}

	private static ExecutorService renewals() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(RENEWALS_AT_A_TIME, RENEWALS_AT_A_TIME, 10,
				TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("idempotent-lease-renewal"));
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/**
	 * Renews a claim until it is forgotten.
	 * @param claim the claim; not renewed if this throws, since no thread could be
	 * started
	 */
	void keep(Claim claim) {
		if (claim.needsRenewal()) {
			this.claims.add(claim);
			try {
				sweepWithin(period(claim));
			}
			catch (Throwable ex) {
				this.claims.remove(claim);
				throw ex;
			}
		}
	}

	void forget(Claim claim) {
		this.claims.remove(claim);
	}

	/**
	 * Tells the store of an end that it did not take, until it does.
	 * @param end the end
	 */
	void retryLater(PendingWrite end) {
		this.pending.add(end);
	}

	/**
	 * Tells the store once more of the ends that it did not take.
	 */
	void flush() {
		this.pending.flush();
	}

	/**
	 * Stops renewing, and tells the store of ends for the last time.
	 */
	@Override
	public void close() {
		this.sweeper.shutdownNow();
		this.renewals.shutdownNow();
		try {
			this.renewals.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.pending.close();
	}

	/** A sixth: renewal is due after a third, and one failed attempt may be repeated. */
	private static long period(Claim claim) {
		return Math.min(LONGEST_PERIOD, Math.max(SHORTEST_PERIOD, claim.lease().toNanos() / 6));
	}

	private void sweepWithin(long wanted) {
		if (wanted >= this.period) {
			return;
		}
		synchronized (this.scheduling) {
			if (wanted < this.period && !this.sweeper.isShutdown()) {
				// Without a thread to start, this throws, and none is planned.
				ScheduledFuture<?> sooner = this.sweeper.schedule(this::sweep, wanted, TimeUnit.NANOSECONDS);
				if (this.next != null) {
					this.next.cancel(false);
				}
				this.next = sooner;
				this.period = wanted;
			}
		}
	}

	/**
	 * A claim that comes while the sweep looks asks for the next one by itself.
	 */
	private void sweep() {
		synchronized (this.scheduling) {
			this.period = NOTHING_TO_DO;
			if (this.next != null) {
				// This one, or one that was asked for when this one had just begun.
				this.next.cancel(false);
				this.next = null;
			}
		}
		long shortest = NOTHING_TO_DO;
		for (Claim claim : this.claims) {
			shortest = Math.min(shortest, period(claim));
			if (claim.isDue(System.nanoTime()) && this.renewing.add(claim)) {
				renewInTheBackground(claim);
			}
		}
		sweepWithin(shortest);
	}

	private void renewInTheBackground(Claim claim) {
		try {
			this.renewals.execute(() -> renew(claim));
		}
		catch (RejectedExecutionException ex) {
			this.renewing.remove(claim);
		}
		catch (Throwable ex) {
			// No thread could be started, for instance.
			this.renewing.remove(claim);
			logger.warn("The claim of key " + claim.key() + " could not be renewed; the next sweep tries again", ex);
		}
	}

	private void renew(Claim claim) {
		try {
			claim.renewIfDue(System.nanoTime());
		}
		catch (StoreUnavailableException ex) {
			logger.debug("The claim of key " + claim.key() + " could not be renewed; the next sweep tries again", ex);
		}
		catch (Throwable ex) {
			// Even a LinkageError: the next renewal may succeed.
			logger.warn("The claim of key " + claim.key() + " could not be renewed; the next sweep tries again", ex);
		}
		finally {
			this.renewing.remove(claim);
		}
	}

}
