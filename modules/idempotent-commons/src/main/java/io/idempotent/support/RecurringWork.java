package io.idempotent.support;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Repeats work on items in the background until they are removed, such as renewing a
 * lease or sending a release. An item that is removed before its first check costs only
 * an entry in a set. Safe for use by many threads.
 *
 * <p>
 * One thread checks all items and never blocks; the workers do what is due, one worker
 * for one item. So a server that does not respond delays neither the checks nor, as long
 * as a worker is free, the work on other items.
 *
 * @param <T> the type of the items; compared by identity or with a cheap {@code equals}
 */
public final class RecurringWork<T> {

	/** The time to the next check of an item that needs none. */
	public static final long NEVER = Long.MAX_VALUE;

	private static final Log logger = LogFactory.getLog(RecurringWork.class);

	private static final long LONGEST_DELAY = TimeUnit.SECONDS.toNanos(1);

	/** Keeps the checks from spinning. */
	private static final long SHORTEST_DELAY = TimeUnit.MILLISECONDS.toNanos(2);

	private final Policy<T> policy;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService workers;

	private final Set<T> items = ConcurrentHashMap.newKeySet();

	private final Set<T> inProgress = ConcurrentHashMap.newKeySet();

	private final Object scheduling = new Object();

	/** When the next check is due by {@link System#nanoTime()}, if one is scheduled. */
	private volatile @Nullable Long dueAt;

	private @Nullable ScheduledFuture<?> next;

	private volatile @Nullable Long failureLoggedAt;

	/** No thread could be started for a check, which the next item makes up for. */
	private volatile boolean missed;

	/** The executors may be shared; closing them ends the work. */
	public RecurringWork(Policy<T> policy, ScheduledExecutorService scheduler, ExecutorService workers) {
		this.policy = policy;
		this.scheduler = scheduler;
		this.workers = workers;
	}

	/** Adds an item; it is not added if this throws, since no thread could be started. */
	public void add(T item) {
		this.items.add(item);
		try {
			checkWithin(this.policy.nanosToNextCheck(item));
		}
		catch (Throwable ex) {
			this.items.remove(item);
			throw ex;
		}
	}

	/**
	 * Adds an item whose work is due. If no thread can be started, the next item that is
	 * added starts one for both.
	 */
	public void addDue(T item) {
		this.items.add(item);
		doNow(item);
		checkSooner(item);
	}

	/** Work that is in progress is not interrupted. */
	public void remove(T item) {
		this.items.remove(item);
	}

	/** An unmodifiable view, whose iterators tolerate changes. */
	public Set<T> items() {
		return Collections.unmodifiableSet(this.items);
	}

	/** Call after an item has become more urgent, or needs checks after all. */
	public void checkSooner(T item) {
		checkAgainWithin(this.policy.nanosToNextCheck(item));
	}

	/** Does the work now in the background, unless it is in progress. */
	public void doNow(T item) {
		if (!this.inProgress.add(item)) {
			return;
		}
		try {
			this.workers.execute(() -> perform(item));
		}
		catch (RejectedExecutionException ex) {
			// Closed.
			this.inProgress.remove(item);
		}
		catch (Throwable ex) {
			this.inProgress.remove(item);
			logger.warn("Could not start a thread to work on the " + item + "; the next check tries again", ex);
		}
	}

	private void perform(T item) {
		try {
			this.policy.perform(item);
		}
		catch (Throwable ex) {
			// Even a LinkageError: the next attempt may succeed.
			logger.warn("The work on the " + item + " failed; the next check tries again", ex);
		}
		finally {
			this.inProgress.remove(item);
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
			// Closed at this moment.
		}
	}

	private void checkAgainWithin(long nanos) {
		try {
			checkWithin(nanos);
		}
		catch (Throwable ex) {
			this.missed = true;
			logger.error(
					"Could not schedule the next check of background work; the next item that is added schedules it",
					ex);
		}
	}

	private void cancelNext() {
		if (this.next != null) {
			this.next.cancel(false);
			this.next = null;
		}
	}

	/** An item that is added meanwhile is checked here, or schedules its own check. */
	private void checkAll() {
		synchronized (this.scheduling) {
			// This check, or an earlier one that was scheduled after this one had
			// started.
			cancelNext();
			this.dueAt = null;
		}
		long nextCheck = NEVER;
		for (T item : this.items) {
			nextCheck = Math.min(nextCheck, check(item));
		}
		checkAgainWithin(nextCheck);
	}

	/** Returns when to check it again. One whose check fails delays no other. */
	private long check(T item) {
		try {
			if (this.policy.isDue(item)) {
				doNow(item);
			}
			return this.policy.nanosToNextCheck(item);
		}
		catch (Throwable ex) {
			logFailure(ex);
			return LONGEST_DELAY;
		}
	}

	/** Checks of other items may make this one fail many times a second. */
	private void logFailure(Throwable failure) {
		Long logged = this.failureLoggedAt;
		if (logged == null || System.nanoTime() - logged > LONGEST_DELAY) {
			this.failureLoggedAt = System.nanoTime();
			logger.error("A check of background work failed; the next one checks it again", failure);
		}
	}

	/**
	 * When work is due and what it is. Each check calls {@link #isDue} for every item, so
	 * an implementation may also end there what it finds lapsed.
	 */
	public interface Policy<T> {

		/** Must not block. */
		boolean isDue(T item);

		/** Must not block. More than a second means a second, but for {@link #NEVER}. */
		long nanosToNextCheck(T item);

		/** Called by a worker thread, and may block. */
		void perform(T item);

	}

}
