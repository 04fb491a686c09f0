package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.engine.LockGrant.Standing;
import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Watches over the holds on one engine: renews their leases, tells when one is lost, and
 * repeats what the engine was not told. A hold that is shorter than a third of its lease
 * costs an entry in a set.
 *
 * <p>
 * The sweep looks at clocks and never blocks, so that a hanging engine cannot keep a loss
 * from being noticed; asking the engine is left to a few threads that live while there is
 * something to ask.
 */
final class LeaseMonitor implements ConnectionObserver {

	private static final Log logger = LogFactory.getLog(LeaseMonitor.class);

	private static final int RENEWAL_THREADS = 4;

	private static final long NO_SWEEP = Long.MAX_VALUE;

	private static final long LONGEST_PERIOD = TimeUnit.SECONDS.toNanos(1);

	/** However short a lease, the sweeper must not spin. */
	private static final long SHORTEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(2);

	private final LockEngine engine;

	private final LockListeners events;

	private final LocalLockQueues gates;

	private final ScheduledExecutorService sweeper;

	private final Executor notifier;

	private final ExecutorService renewals;

	private final Set<HeldLock> holds = ConcurrentHashMap.newKeySet();

	private final Set<PendingRelease> lateReleases = ConcurrentHashMap.newKeySet();

	private final Object scheduling = new Object();

	/** How soon the next sweep comes at the latest; {@link #NO_SWEEP} for never. */
	private volatile long period = NO_SWEEP;

	private @Nullable ScheduledFuture<?> schedule;

	LeaseMonitor(LockEngine engine, LockListeners events, LocalLockQueues gates, ScheduledExecutorService sweeper,
			Executor notifier) {
		this(engine, events, gates, sweeper, notifier, renewals(engine));
	}

	LeaseMonitor(LockEngine engine, LockListeners events, LocalLockQueues gates, ScheduledExecutorService sweeper,
			Executor notifier, ExecutorService renewals) {
		this.engine = engine;
		this.events = events;
		this.gates = gates;
		this.sweeper = sweeper;
		this.notifier = notifier;
		this.renewals = renewals;
		engine.observe(this);
	}

	private static ExecutorService renewals(LockEngine engine) {
		ThreadPoolExecutor threads = new ThreadPoolExecutor(RENEWAL_THREADS, RENEWAL_THREADS, 30, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), DaemonThreads.named("idempotent-lock-" + engine.name()));
		threads.allowCoreThreadTimeOut(true);
		return threads;
	}

	/**
	 * Watches over a hold.
	 * @param hold the hold; not watched over if this throws, since no thread could be
	 * started
	 */
	void keep(HeldLock hold) {
		if (hold.isTimed()) {
			this.holds.add(hold);
			try {
				sweepWithin(hold.nextLookIn(System.nanoTime()));
			}
			catch (Throwable ex) {
				this.holds.remove(hold);
				throw ex;
			}
		}
	}

	void forget(HeldLock hold) {
		if (hold.isTimed()) {
			this.holds.remove(hold);
		}
	}

	/**
	 * Ends a hold that its holder has not given back, unless it has ended already.
	 * @param hold the hold
	 * @param why what is known of the loss
	 * @return whether this is what ended it
	 */
	private boolean lose(HeldLock hold, String why) {
		List<LockListener> own = hold.lose();
		if (own == null) {
			return false;
		}
		forget(hold);
		this.gates.open(hold.name(), hold.gate(), this.engine.queuesWaiters());
		LockEvent loss = hold.event(LockEvent.Type.LOST);
		logger.warn("Lost " + hold + ", held for " + DurationText.ofMeasured(loss.time()) + ": " + why);
		tellInBackground(() -> {
			this.events.tell(loss);
			own.forEach((listener) -> LockListeners.tell(listener, loss));
		});
		return true;
	}

	/** On this thread if no other can be started: a loss must be told. */
	private void tellInBackground(Runnable telling) {
		try {
			this.notifier.execute(telling);
		}
		catch (Throwable ex) {
			logger.warn("No thread could be started to tell the listeners of locks", ex);
			telling.run();
		}
	}

	/**
	 * Ends a hold whose lease has run out by the clock. The engine may still have it, as
	 * one without leases does, and is told.
	 * @param hold the hold
	 * @param now the time
	 * @return whether the lease has run out
	 */
	boolean loseIfOver(HeldLock hold, long now) {
		if (!hold.isOver(now)) {
			return false;
		}
		if (lose(hold, "its lease has run out")) {
			releaseLater(hold.grant(), Duration.ZERO);
		}
		return true;
	}

	/**
	 * Repeats a release until the engine takes it or the lease is over.
	 * @param grant what is released
	 * @param keepFor how long the lock stays taken all the same
	 */
	void releaseLater(LockGrant grant, Duration keepFor) {
		PendingRelease late = new PendingRelease(grant, keepFor);
		this.lateReleases.add(late);
		repeat(late);
		sweepAgainWithin(LONGEST_PERIOD);
	}

	void close() {
		this.renewals.shutdownNow();
	}

	@Override
	public void suspended(Duration safe) {
		long latest = System.nanoTime() + safe.toNanos();
		for (HeldLock hold : this.holds) {
			hold.expireBy(latest);
			suspect(hold, "the connection is down");
			sweepAgainWithin(hold.nextLookIn(System.nanoTime()));
		}
	}

	@Override
	public void restored() {
		this.holds.forEach(this::renewInBackground);
	}

	@Override
	public void ended(Predicate<LockGrant> grants) {
		for (HeldLock hold : this.holds) {
			if (grants.test(hold.grant())) {
				lose(hold, "the session of the engine has ended");
			}
		}
	}

	private void sweepAgainWithin(long nanos) {
		try {
			sweepWithin(nanos);
		}
		catch (Throwable ex) {
			logger.error("The next sweep over the held locks could not be planned; the next lock plans it", ex);
		}
	}

	private void sweepWithin(long nanos) {
		long wanted = Math.min(LONGEST_PERIOD, Math.max(SHORTEST_PERIOD, nanos));
		if (wanted >= this.period) {
			return;
		}
		synchronized (this.scheduling) {
			if (wanted < this.period) {
				// Without a thread to start, this throws, and none is planned.
				ScheduledFuture<?> sooner = this.sweeper.schedule(this::sweep, wanted, TimeUnit.NANOSECONDS);
				if (this.schedule != null) {
					this.schedule.cancel(false);
				}
				this.schedule = sooner;
				this.period = wanted;
			}
		}
	}

	/**
	 * Looks at everything, and comes again as soon as what is left asks for. What is
	 * added meanwhile is either seen here or has found no sweep planned, and plans one.
	 */
	private void sweep() {
		synchronized (this.scheduling) {
			this.period = NO_SWEEP;
		}
		long next = NO_SWEEP;
		try {
			long now = System.nanoTime();
			for (HeldLock hold : this.holds) {
				look(hold, now);
				next = Math.min(next, Math.min(LONGEST_PERIOD, hold.nextLookIn(now)));
			}
			for (PendingRelease late : this.lateReleases) {
				next = Math.min(next, LONGEST_PERIOD);
				repeat(late);
			}
		}
		catch (Throwable ex) {
			logger.error("A sweep over the held locks failed; the next one starts over", ex);
			next = LONGEST_PERIOD;
		}
		if (next != NO_SWEEP) {
			sweepAgainWithin(next);
		}
	}

	private void look(HeldLock hold, long now) {
		if (!loseIfOver(hold, now) && hold.needsRenewal(now)) {
			renewInBackground(hold);
		}
	}

	private void renewInBackground(HeldLock hold) {
		if (hold.beginRenewal()) {
			ask(() -> renew(hold), hold::endRenewal);
		}
	}

	private void renew(HeldLock hold) {
		try {
			if (hold.renew() == Standing.LOST) {
				lose(hold, "the engine no longer knows the grant");
			}
			else if (hold.resume()) {
				tellLater(hold, LockEvent.Type.RESUMED);
			}
		}
		catch (RuntimeException | Error ex) {
			suspect(hold, ex.toString());
		}
	}

	private void suspect(HeldLock hold, String why) {
		if (hold.suspect()) {
			logger.warn("The lease of " + hold + " is uncertain: " + why);
			tellLater(hold, LockEvent.Type.SUSPECT);
		}
	}

	private void tellLater(HeldLock hold, LockEvent.Type type) {
		LockEvent event = hold.event(type);
		tellInBackground(() -> this.events.tell(event));
	}

	private void repeat(PendingRelease late) {
		if (late.begin()) {
			ask(() -> releaseAgain(late), late::end);
		}
	}

	private void releaseAgain(PendingRelease late) {
		boolean told = false;
		try {
			late.release();
			told = true;
		}
		catch (RuntimeException ex) {
			logger.debug("A release could not be sent to the lock engine '" + this.engine.name() + "'", ex);
		}
		finally {
			if (told || late.isMoot()) {
				this.lateReleases.remove(late);
			}
		}
	}

	private void ask(Runnable question, Runnable after) {
		try {
			this.renewals.execute(() -> {
				try {
					question.run();
				}
				finally {
					after.run();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			// Closed: leases end on their own.
			after.run();
		}
		catch (Throwable ex) {
			// No thread could be started, for instance.
			after.run();
			logger.warn("The lock engine '" + this.engine.name() + "' could not be asked; the next sweep tries again",
					ex);
		}
	}

}
