package io.idempotent.store;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.IdempotencyEvent;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The one sweeper of a JVM: renews the claims of running operations and repeats what the
 * store did not take. A claim costs it an entry in a set and nothing more until a third
 * of its lease has passed.
 */
final class LeaseKeeper implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseKeeper.class);

	/** What may wait for the store, answers included. */
	private static final long MAX_PENDING_BYTES = 16L * 1024 * 1024;

	private static final long LONGEST_PERIOD = TimeUnit.SECONDS.toNanos(1);

	/** However short a lease, the sweeper must not spin. */
	private static final long SHORTEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(5);

	private final IdempotencyStore store;

	private final Events events;

	private final Set<Claim> claims = ConcurrentHashMap.newKeySet();

	private final Queue<PendingEnd> pending = new ConcurrentLinkedQueue<>();

	private final AtomicLong pendingBytes = new AtomicLong();

	private final ScheduledExecutorService sweeper;

	private final Object scheduling = new Object();

	private volatile long period = Long.MAX_VALUE;

	private @Nullable ScheduledFuture<?> schedule;

	LeaseKeeper(IdempotencyStore store, Events events) {
		this.store = store;
		this.events = events;
		this.sweeper = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "idempotent-lease-sweeper");
			thread.setDaemon(true);
			return thread;
		});
	}

	void keep(Claim claim) {
		if (claim.needsRenewal()) {
			this.claims.add(claim);
			sweepAtLeastEvery(claim.lease());
		}
	}

	void forget(Claim claim) {
		this.claims.remove(claim);
	}

	/**
	 * Repeats a word until the store takes it. Bounded: without room an answer is given
	 * up for a tombstone, and without room for that the word is dropped.
	 * @param end the word
	 */
	void sayLater(PendingEnd end) {
		PendingEnd fitting = (this.pendingBytes.get() + end.size() <= MAX_PENDING_BYTES) ? end : end.withoutAnswer();
		if (this.pendingBytes.get() + fitting.size() > 2 * MAX_PENDING_BYTES) {
			drop(fitting, null);
			return;
		}
		this.pendingBytes.addAndGet(fitting.size());
		this.pending.add(fitting);
		if (this.sweeper.isShutdown()) {
			sayTheLast();
		}
		else {
			sweepAtLeastEvery(Duration.ofNanos(LONGEST_PERIOD));
		}
	}

	/**
	 * Says what can be said once more, then stops.
	 */
	@Override
	public void close() {
		this.sweeper.shutdownNow();
		try {
			this.sweeper.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		sayTheLast();
	}

	private void sayTheLast() {
		flush();
		PendingEnd end;
		while ((end = this.pending.poll()) != null) {
			drop(end, null);
		}
	}

	private void sweepAtLeastEvery(Duration lease) {
		// A sixth: renewal is due after a third, and one failed attempt may be repeated.
		long wanted = Math.min(LONGEST_PERIOD, Math.max(SHORTEST_PERIOD, lease.toNanos() / 6));
		if (wanted >= this.period) {
			return;
		}
		synchronized (this.scheduling) {
			if (wanted < this.period && !this.sweeper.isShutdown()) {
				this.period = wanted;
				if (this.schedule != null) {
					this.schedule.cancel(false);
				}
				this.schedule = this.sweeper.scheduleWithFixedDelay(this::sweep, wanted, wanted, TimeUnit.NANOSECONDS);
			}
		}
	}

	private void sweep() {
		try {
			renew();
			flush();
		}
		catch (Throwable ex) {
			// An executor never again runs what threw once, and no claim would be
			// renewed.
			logger.error("A sweep over the running claims failed; the next one starts over", ex);
		}
	}

	private void renew() {
		for (Claim claim : this.claims) {
			try {
				claim.renewIfDue(System.nanoTime());
			}
			catch (RuntimeException ex) {
				logger.warn("The claim of key " + claim.key() + " could not be renewed; the next sweep tries again",
						ex);
			}
		}
	}

	synchronized void flush() {
		PendingEnd end;
		while ((end = this.pending.peek()) != null) {
			try {
				tell(end, end.word().sayTo(this.store, end.claim()));
			}
			catch (StoreUnavailableException ex) {
				// Still down: what stands behind would wait for the same time-out.
				return;
			}
			catch (RuntimeException ex) {
				drop(end, ex);
			}
			this.pending.remove(end);
			this.pendingBytes.addAndGet(-end.size());
		}
	}

	private void tell(PendingEnd end, Ownership ownership) {
		if (end.type() != null) {
			// A release whose reply was lost finds nothing left to release.
			boolean taken = ownership == Ownership.HELD || end.word() instanceof EndOfClaim.Released;
			this.events.tell(taken ? end.type() : IdempotencyEvent.Type.CLAIM_LOST, end.operation(), end.claim().key());
		}
	}

	private void drop(PendingEnd end, @Nullable Throwable cause) {
		logger.error("The end of operation '" + end.operation() + "' (key " + end.claim().key()
				+ ") could not be recorded and is given up: duplicates will meet an unknown outcome", cause);
		this.events.tell(IdempotencyEvent.Type.WRITE_DROPPED, end.operation(), end.claim().key());
	}

}
