package io.idempotent.support;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases in the background until they are removed. A lease that is removed before
 * its first check costs only an entry in a set. Safe for use by many threads.
 *
 * <p>
 * One thread checks all leases and never blocks; up to four workers renew those that are
 * due, one worker for one lease. So a store that does not respond delays neither the
 * checks nor, as long as a worker is free, the renewal of other leases.
 *
 * @param <L> the type of the leases; compared by identity or with a cheap {@code equals}
 */
public final class LeaseRenewer<L> {

	/** The time to the next check of a lease that needs none. */
	public static final long NEVER = Long.MAX_VALUE;

	private static final Log logger = LogFactory.getLog(LeaseRenewer.class);

	private static final int WORKERS = 4;

	private static final long IDLE_SECONDS = 30;

	private static final long LONGEST_DELAY = TimeUnit.SECONDS.toNanos(1);

	/** Keeps the checks from spinning if a lease is very short. */
	private static final long SHORTEST_DELAY = TimeUnit.MILLISECONDS.toNanos(2);

	private final Policy<L> policy;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService workers;

	private final Set<L> leases = ConcurrentHashMap.newKeySet();

	private final Set<L> renewing = ConcurrentHashMap.newKeySet();

	private final Object scheduling = new Object();

	/** When the next check is due by {@link System#nanoTime()}, if one is scheduled. */
	private volatile @Nullable Long dueAt;

	private @Nullable ScheduledFuture<?> next;

	/** No thread could be started for a check, which the next lease makes up for. */
	private volatile boolean missed;

	/** The executors may be shared; closing them stops the renewer. */
	public LeaseRenewer(Policy<L> policy, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.policy = policy;
		this.scheduler = scheduler;
		this.workers = workers;
	}

	/** Bounded: renewals that wait may occupy connections that the application needs. */
	public static ExecutorService workers(String name) {
		ThreadPoolExecutor workers = new ThreadPoolExecutor(WORKERS, WORKERS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), DaemonThreads.named(name));
		workers.allowCoreThreadTimeOut(true);
		return workers;
	}

	/** Adds a lease; it is not added if this throws, since no thread could be started. */
	public void add(L lease) {
		this.leases.add(lease);
		try {
			checkWithin(this.policy.nanosToNextCheck(lease));
		}
		catch (Throwable ex) {
			this.leases.remove(lease);
			throw ex;
		}
	}

	/** If no thread can be started, the next lease that is added starts one for both. */
	public void addDue(L lease) {
		this.leases.add(lease);
		renewNow(lease);
		checkSooner(lease);
	}

	/** A renewal that is in progress is not interrupted. */
	public void remove(L lease) {
		this.leases.remove(lease);
	}

	/** An unmodifiable view, whose iterators tolerate changes. */
	public Set<L> leases() {
		return Collections.unmodifiableSet(this.leases);
	}

	/** Call after a lease has become more urgent, or needs checks after all. */
	public void checkSooner(L lease) {
		checkAgainWithin(this.policy.nanosToNextCheck(lease));
	}

	/** Renews the lease in the background, unless it is being renewed already. */
	public void renewNow(L lease) {
		if (!this.renewing.add(lease)) {
			return;
		}
		try {
			this.workers.execute(() -> renew(lease));
		}
		catch (RejectedExecutionException ex) {
			// Closed: leases end by themselves.
			this.renewing.remove(lease);
		}
		catch (Throwable ex) {
			this.renewing.remove(lease);
			logger.warn("Could not start a thread to renew the " + lease + "; the next check tries again", ex);
		}
	}

	private void renew(L lease) {
		try {
			this.policy.renew(lease);
		}
		catch (Throwable ex) {
			// Even a LinkageError: the next renewal may succeed.
			logger.warn("Could not renew the " + lease + "; the next check tries again", ex);
		}
		finally {
			this.renewing.remove(lease);
		}
	}

	private void checkWithin(long nanos) {
		long wanted = Math.min(LONGEST_DELAY, Math.max(SHORTEST_DELAY, nanos));
		if ((nanos == NEVER && !this.missed) || isDueWithin(wanted)) {
			return;
		}
		synchronized (this.scheduling) {
			if (!isDueWithin(wanted) && !this.scheduler.isShutdown()) {
				schedule(wanted);
			}
		}
	}

	private boolean isDueWithin(long nanos) {
		Long due = this.dueAt;
		return due != null && due - System.nanoTime() <= nanos;
	}

	/** Replaces a later check. If no thread can be started, throws, changing nothing. */
	private void schedule(long nanos) {
		try {
			ScheduledFuture<?> sooner = this.scheduler.schedule(this::checkAll, nanos, TimeUnit.NANOSECONDS);
			cancelNext();
			this.next = sooner;
			this.dueAt = System.nanoTime() + nanos;
			this.missed = false;
		}
		catch (RejectedExecutionException ex) {
			// Closed at this moment: leases end by themselves.
		}
	}

	private void checkAgainWithin(long nanos) {
		try {
			checkWithin(nanos);
		}
		catch (Throwable ex) {
			this.missed = true;
			logger.error("Could not schedule the next check of leases; the next lease that is added schedules it", ex);
		}
	}

	private void cancelNext() {
		if (this.next != null) {
			this.next.cancel(false);
			this.next = null;
		}
	}

	/** A lease that is added meanwhile is checked here, or schedules its own check. */
	private void checkAll() {
		synchronized (this.scheduling) {
			// This check, or an earlier one that was scheduled after this one had
			// started.
			cancelNext();
			this.dueAt = null;
		}
		long nextCheck = NEVER;
		try {
			for (L lease : this.leases) {
				if (this.policy.isDue(lease)) {
					renewNow(lease);
				}
				nextCheck = Math.min(nextCheck, this.policy.nanosToNextCheck(lease));
			}
		}
		catch (Throwable ex) {
			logger.error("The check of leases failed; the next one checks all of them again", ex);
			nextCheck = LONGEST_DELAY;
		}
		checkAgainWithin(nextCheck);
	}

	/**
	 * When and how leases are renewed. Each check calls {@link #isDue} for every lease,
	 * so an implementation may also end there what it finds lapsed.
	 */
	public interface Policy<L> {

		/** Must not block. */
		boolean isDue(L lease);

		/** Must not block. More than a second means a second, but for {@link #NEVER}. */
		long nanosToNextCheck(L lease);

		/** Called by a worker thread, and may block. */
		void renew(L lease);

	}

}
