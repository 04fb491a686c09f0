package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import io.idempotent.logging.DurationText;
import io.idempotent.support.LeaseRenewer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Monitors the locks that are held on one engine: renews their leases, detects and
 * reports the loss of a lock, and repeats releases that did not reach the engine.
 *
 * <p>
 * A loss is detected by the clock, without calling the engine. So an engine that does not
 * respond delays renewals, but never the report of a loss.
 */
public final class LeaseMonitor implements ConnectionObserver {

	private static final Log logger = LogFactory.getLog(LeaseMonitor.class);

	private final LockListeners listeners;

	private final LocalLockQueues queues;

	private final Executor notifier;

	private final ExecutorService workers;

	private final LeaseRenewer<HeldLock> leases;

	private final PendingReleases releases;

	private final Set<HeldLock> locksWithoutLease = ConcurrentHashMap.newKeySet();

	public LeaseMonitor(LockEngine engine, LockListeners listeners, LocalLockQueues queues,
			ScheduledExecutorService scheduler, Executor notifier) {
		this(engine, listeners, queues, scheduler, notifier, LeaseRenewer.workers("idempotent-lock-" + engine.name()));
	}

	public LeaseMonitor(LockEngine engine, LockListeners listeners, LocalLockQueues queues,
			ScheduledExecutorService scheduler, Executor notifier, ExecutorService workers) {
		this.listeners = listeners;
		this.queues = queues;
		this.notifier = notifier;
		this.workers = workers;
		this.leases = new LeaseRenewer<>(new HeldLockRenewal(), scheduler, workers);
		this.releases = new PendingReleases(engine, scheduler, workers);
		engine.observe(this);
	}

	/**
	 * Starts to monitor a lock.
	 * @param held the lock; not monitored if this throws, since no thread could be
	 * started
	 */
	public void add(HeldLock held) {
		if (held.lease().canEnd()) {
			this.leases.add(held);
		}
		else {
			this.locksWithoutLease.add(held);
			if (held.state().isOver()) {
				// Released while it was added.
				this.locksWithoutLease.remove(held);
			}
		}
	}

	public void remove(HeldLock held) {
		if (held.lease().canEnd()) {
			this.leases.remove(held);
		}
		else {
			this.locksWithoutLease.remove(held);
		}
	}

	/**
	 * The locks that are held on this engine, without read locks under a write lock.
	 * @return the locks at this moment
	 */
	public Stream<HeldLock> held() {
		return Stream.concat(this.leases.leases().stream(), this.locksWithoutLease.stream())
			.filter((held) -> !held.state().isOver());
	}

	/**
	 * Checks at once whether the engine still knows a grant.
	 * @param held the lock, which is lost if it does not
	 */
	public void check(HeldLock held) {
		try {
			renew(held, RenewalThread.run(held.lease()::renew));
		}
		catch (RuntimeException ex) {
			suspect(held, ex.toString());
		}
	}

	/**
	 * Stops renewing. Leases end by themselves from now on.
	 */
	public void close() {
		this.workers.shutdownNow();
	}

	/**
	 * Marks a lock as lost if its lease has ended by the clock. The engine may still have
	 * the grant, in particular an engine without leases, so that it is released there.
	 * @param lock the lock
	 * @return whether the lease has ended
	 */
	public boolean loseIfLeaseEnded(HeldLock lock) {
		HeldLock held = ReaderGrant.leaseholder(lock);
		long now = System.nanoTime();
		if (!held.lease().hasEnded(now)) {
			return false;
		}
		if (lose(held, held.lease().reasonOfEnd(now))) {
			releaseLater(held.grant(), Duration.ZERO);
		}
		return true;
	}

	/**
	 * Lets a lock be held longer, and waits for the renewal of its lease.
	 * @param lock the lock
	 * @param time how long from now it may be held at least
	 * @throws io.idempotent.lock.LockLostException if the lock is lost
	 * @throws io.idempotent.lock.LockUnavailableException if the engine cannot be asked;
	 * the renewal is repeated in the background
	 */
	public void extend(HeldLock lock, Duration time) {
		HeldLock held = ReaderGrant.leaseholder(lock);
		loseIfLeaseEnded(held);
		if (held.isValid()) {
			held.lease().limitAtLeast(System.nanoTime() + time.toNanos());
			renewAtOnce(held);
		}
		if (!held.isValid()) {
			throw held.lostException();
		}
	}

	private void renewAtOnce(HeldLock held) {
		if (held.lease().isRenewable()) {
			try {
				renew(held, RenewalThread.run(held.lease()::renew));
			}
			catch (RuntimeException ex) {
				suspect(held, ex.toString());
				throw ex;
			}
		}
	}

	private void renew(HeldLock held, GrantState state) {
		if (state == GrantState.LOST) {
			lose(held, "the engine no longer knows the grant");
		}
		else if (held.state().resume(held.lease())) {
			publishInBackground(held, LockEvent.Type.RESUMED);
		}
	}

	/**
	 * Releases an unused grant. If the engine cannot be reached, the release is repeated.
	 * @param grant the grant
	 */
	public void releaseUnused(LockGrant grant) {
		grant.abandoned();
		try {
			grant.release(Duration.ZERO);
		}
		catch (RuntimeException ex) {
			releaseLater(grant, Duration.ZERO);
		}
	}

	/**
	 * Repeats a release until the engine confirms it or the lease has ended.
	 * @param grant the grant to release
	 * @param stayLocked how long the lock stays locked from now on
	 */
	public void releaseLater(LockGrant grant, Duration stayLocked) {
		grant.abandoned();
		this.releases.add(grant, stayLocked);
	}

	@Override
	public void suspended(Duration safe) {
		long latest = System.nanoTime() + safe.toNanos();
		for (HeldLock held : this.leases.leases()) {
			held.lease().endBy(latest);
			suspect(held, "the connection is down");
			this.leases.checkSooner(held);
		}
	}

	@Override
	public void restored() {
		this.leases.leases().forEach(this.leases::renewNow);
	}

	@Override
	public void ended(Predicate<LockGrant> grants) {
		for (HeldLock held : this.leases.leases()) {
			if (grants.test(held.grant().origin())) {
				lose(held, "the session of the engine has ended");
			}
		}
	}

	/**
	 * Marks a lock as lost, unless it was lost or released before.
	 * @param held the lock
	 * @param reason the reason for the log
	 * @return whether this call has marked it
	 */
	public boolean lose(HeldLock held, String reason) {
		List<LockListener> own = held.lose();
		if (own == null) {
			return false;
		}
		remove(held);
		held.leaveQueue(this.queues);
		LockEvent loss = held.event(LockEvent.Type.LOST);
		logger.warn("Lost " + held + ", held for " + DurationText.ofMeasured(loss.time()) + ": " + reason);
		this.listeners.inBackground(this.notifier, () -> {
			this.listeners.publish(loss);
			own.forEach((listener) -> LockListeners.publish(listener, loss));
		});
		return true;
	}

	private void suspect(HeldLock held, String reason) {
		if (held.state().suspect()) {
			logger.warn("The lease of " + held + " is uncertain: " + reason);
			publishInBackground(held, LockEvent.Type.SUSPECT);
		}
	}

	private void publishInBackground(HeldLock held, LockEvent.Type type) {
		LockEvent event = held.event(type);
		this.listeners.inBackground(this.notifier, () -> this.listeners.publish(event));
	}

	private final class HeldLockRenewal implements LeaseRenewer.Policy<HeldLock> {

		@Override
		public boolean isDue(HeldLock held) {
			if (held.state().isOver()) {
				// Released while it was added, like a read lock that continues.
				remove(held);
				return false;
			}
			return !loseIfLeaseEnded(held) && held.needsRenewal(System.nanoTime());
		}

		@Override
		public long nanosToNextCheck(HeldLock held) {
			return held.lease().nanosToNextCheck(System.nanoTime());
		}

		@Override
		public void renew(HeldLock held) {
			try {
				LeaseMonitor.this.renew(held, held.lease().renew());
			}
			catch (RuntimeException | Error ex) {
				suspect(held, ex.toString());
			}
		}

	}

}
