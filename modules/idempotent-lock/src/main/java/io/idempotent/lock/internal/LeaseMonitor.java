package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.RecurringWork;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of the locks held on one engine, detects and reports losses, and
 * repeats releases that did not reach the engine. A loss is detected by the clock: an
 * engine that does not respond delays renewals, but never the report of a loss.
 */
public final class LeaseMonitor implements ConnectionObserver {

	private static final Log logger = LogFactory.getLog(LeaseMonitor.class);

	private final LockEngine engine;

	private final LockListeners listeners;

	private final Executor notifier;

	private final ExecutorService workers;

	private final RecurringWork<HeldLock> renewals;

	private final PendingReleases releases;

	LeaseMonitor(LockEngine engine, LockListeners listeners, ScheduledExecutorService scheduler, Executor notifier,
			ExecutorService workers) {
		this.engine = engine;
		this.listeners = listeners;
		this.notifier = notifier;
		this.workers = workers;
		this.renewals = new RecurringWork<>(new HeldLockRenewal(), scheduler, workers);
		this.releases = new PendingReleases(engine.name(), scheduler, workers);
		engine.observe(this);
	}

	LockEngine engine() {
		return this.engine;
	}

	/** Monitors a lock, unless this throws since no thread could be started. */
	void add(HeldLock held) {
		this.renewals.add(held);
	}

	void remove(HeldLock held) {
		this.renewals.remove(held);
	}

	public Stream<HeldLock> held() {
		return this.renewals.items().stream().filter((held) -> !held.isOver());
	}

	/** Stops renewing. Leases end by themselves from now on. */
	void close() {
		this.workers.shutdownNow();
	}

	/** Releases the grant too, which an engine without leases may still have. */
	boolean loseIfLeaseEnded(HeldLock held) {
		long now = System.nanoTime();
		if (!held.lease().hasEnded(now)) {
			return false;
		}
		if (lose(held, held.lease().reasonOfEnd(now))) {
			releaseInBackground(held.grant(), Duration.ZERO);
		}
		return true;
	}

	/** Waits for the renewal, which is repeated in the background if it fails. */
	void extend(HeldLock held, Duration time) {
		loseIfLeaseEnded(held);
		if (held.isValid()) {
			held.lease().limitAtLeast(System.nanoTime() + time.toNanos());
			RuntimeException failure = check(held);
			if (failure != null) {
				throw failure;
			}
		}
		if (!held.isValid()) {
			throw held.lostException();
		}
	}

	/**
	 * Asks at once whether the engine still knows a grant, and loses the lock if not.
	 * Returns a failure, after which the lock is suspect and the renewal is repeated.
	 */
	public @Nullable RuntimeException check(HeldLock held) {
		try {
			renewed(held, onOtherThread(held.lease()::renew));
			return null;
		}
		catch (RuntimeException ex) {
			suspect(held, ex.toString());
			return ex;
		}
	}

	private void renewed(HeldLock held, GrantState state) {
		if (state == GrantState.LOST) {
			lose(held, "the engine no longer knows the grant");
		}
		else if (held.resume()) {
			publishInBackground(held, LockEvent.Type.RESUMED);
		}
	}

	/** Renews a new grant before it is used; null if it is lost. */
	@Nullable HeldLease renewBeforeUse(HeldLease old, @Nullable Duration holdAtMost) {
		LockGrant grant = old.grant();
		try {
			long requestedAt = System.nanoTime();
			if (onOtherThread(() -> grant.renew(grant.lease())) == GrantState.HELD) {
				return new HeldLease(old.askedEngine(), grant, holdAtMost, requestedAt);
			}
			grant.abandoned();
			return null;
		}
		catch (RuntimeException | Error ex) {
			releaseInBackground(grant, Duration.ZERO);
			throw ex;
		}
	}

	/**
	 * Runs a renewal on a thread that nobody interrupts: an interrupt would let a
	 * connection pool fail, and close a database connection. Waits through interrupts.
	 * Not on a worker, which may be hanging.
	 */
	private static GrantState onOtherThread(Supplier<GrantState> renewal) {
		CompletableFuture<GrantState> state = CompletableFuture.supplyAsync(renewal,
				(task) -> DaemonThreads.start("idempotent-lock-renewal", task));
		return InterruptibleWait.uninterruptibly((wait) -> {
			try {
				return wait.get(state, LockEngine.FOREVER.toNanos());
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() instanceof RuntimeException failure) ? failure
						: new IllegalStateException(ex.getCause());
			}
			catch (TimeoutException ex) {
				throw new IllegalStateException("A wait without a limit has ended", ex);
			}
		});
	}

	/** If the engine cannot be reached, the release is repeated. */
	void release(LockGrant grant) {
		try {
			grant.abandoned();
			grant.release(Duration.ZERO);
		}
		catch (RuntimeException | Error ex) {
			releaseInBackground(grant, Duration.ZERO);
			throwIfError(ex);
		}
	}

	static void throwIfError(@Nullable Throwable ex) {
		if (ex instanceof Error error) {
			throw error;
		}
	}

	void releaseInBackground(LockGrant grant, Duration stayLocked) {
		try {
			grant.abandoned();
		}
		finally {
			this.releases.add(grant, stayLocked);
		}
	}

	@Override
	public void suspended(Duration safe) {
		long latest = System.nanoTime() + safe.toNanos();
		for (HeldLock held : this.renewals.items()) {
			held.lease().endBy(latest);
			suspect(held, "the connection is down");
		}
	}

	@Override
	public void restored() {
		this.renewals.items().forEach(this.renewals::doNow);
	}

	@Override
	public void ended(Predicate<LockGrant> grants) {
		for (HeldLock held : this.renewals.items()) {
			if (grants.test(held.grant().origin())) {
				lose(held, "the session of the engine has ended");
			}
		}
	}

	/** Returns {@code false} if it was lost or released before. */
	boolean lose(HeldLock held, String reason) {
		List<LockListener> own = held.lose();
		if (own == null) {
			return false;
		}
		remove(held);
		held.leaveQueue();
		reportLoss(held, reason, own, this.notifier);
		return true;
	}

	/** Calls all listeners, those of the lock last. */
	void reportLoss(HeldLock held, String reason, List<LockListener> own, Executor executor) {
		LockEvent loss = held.event(LockEvent.Type.LOST);
		logger.warn("Lost " + held + ", held for " + DurationText.ofMeasured(loss.time()) + ": " + reason);
		this.listeners.inBackground(executor, () -> {
			this.listeners.publish(loss);
			own.forEach((listener) -> LockListeners.publish(listener, loss));
		});
	}

	/** From now on the lease is checked, even one that never ends. */
	private void suspect(HeldLock held, String reason) {
		if (held.suspect()) {
			logger.warn("The lease of " + held + " is uncertain: " + reason);
			publishInBackground(held, LockEvent.Type.SUSPECT);
		}
		this.renewals.checkSooner(held);
	}

	private void publishInBackground(HeldLock held, LockEvent.Type type) {
		LockEvent event = held.event(type);
		this.listeners.inBackground(this.notifier, () -> this.listeners.publish(event));
	}

	private final class HeldLockRenewal implements RecurringWork.Policy<HeldLock> {

		/**
		 * A suspect lease is renewed to learn its state, even if that does not extend it.
		 */
		@Override
		public boolean isDue(HeldLock held) {
			return !held.isOver() && !loseIfLeaseEnded(held)
					&& (held.isSuspect() || held.lease().isRenewalDue(System.nanoTime()));
		}

		@Override
		public long nanosToNextCheck(HeldLock held) {
			HeldLease lease = held.lease();
			return (lease.isEndless() && !held.isSuspect()) ? RecurringWork.NEVER
					: lease.nanosToNextCheck(System.nanoTime());
		}

		@Override
		public void perform(HeldLock held) {
			try {
				renewed(held, held.lease().renew());
			}
			catch (RuntimeException | Error ex) {
				suspect(held, ex.toString());
			}
		}

	}

}
