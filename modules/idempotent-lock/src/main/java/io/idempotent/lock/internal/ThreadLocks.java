package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks of threads: a thread enters a lock again that it holds, or acquires it, and
 * the lock is released with its last entry. A thread holds few locks, so that a list is
 * faster than a map.
 */
final class ThreadLocks {

	private static final Log logger = LogFactory.getLog(ThreadLocks.class);

	/**
	 * A lock that another thread or its transaction has released is dropped with the next
	 * one. Not static: several nodes may exist in one JVM.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<HeldLock>> heldLocks = new ThreadLocal<>();

	private final EngineSelection engines;

	private final LockAcquisition acquisition;

	private final LockListeners listeners;

	ThreadLocks(EngineSelection engines, LockListeners listeners, LockObserver observer) {
		this.engines = engines;
		this.acquisition = new LockAcquisition(engines, listeners, observer, this::validGrants, this::acquired);
		this.listeners = listeners;
	}

	LockAcquisition acquisition() {
		return this.acquisition;
	}

	boolean isOfEngineInForce(HeldLock held) {
		return held.lease().askedEngine() == this.engines.inForce();
	}

	void extend(HeldLock held, Duration time) {
		monitor(held).extend(held, time);
	}

	private LeaseMonitor monitor(HeldLock held) {
		return this.engines.monitor(held.engine());
	}

	/** The innermost lock of this name that the thread has not left. */
	private @Nullable HeldLock find(String name) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null) {
			for (int i = locks.size() - 1; i >= 0; i--) {
				HeldLock held = locks.get(i);
				if (held.name().equals(name) && !held.isLeft()) {
					return held;
				}
			}
		}
		return null;
	}

	/** As long as the thread has an entry in this mode. */
	@Nullable HeldLock find(String name, LockMode mode) {
		HeldLock held = find(name);
		return (held != null && held.count(mode) > 0) ? held : null;
	}

	HeldLock require(String name, LockMode mode) {
		HeldLock held = find(name, mode);
		if (held == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the "
					+ ((mode == LockMode.READ) ? "read lock '" : "lock '") + name + "'");
		}
		return held;
	}

	/** The innermost last. */
	List<HeldLock> heldByCurrentThread() {
		List<HeldLock> locks = this.heldLocks.get();
		return (locks != null) ? locks.stream().filter((held) -> !held.isFree()).toList() : List.of();
	}

	private List<LockGrant> validGrants() {
		return heldByCurrentThread().stream().filter(HeldLock::isValid).map(HeldLock::grant).toList();
	}

	/**
	 * Throws an {@link InterruptedException} only if the request is interruptible, or the
	 * engine cannot ignore interrupts.
	 */
	boolean acquire(QueuedRequest request) throws InterruptedException {
		HeldLock held = find(request.name());
		return (held != null && enterAgain(held, request.mode())) || this.acquisition.acquire(request);
	}

	private boolean enterAgain(HeldLock held, LockMode mode) {
		if (held.mode() == LockMode.READ && mode == LockMode.WRITE) {
			throw new IllegalMonitorStateException("The current thread holds the read lock '" + held.name()
					+ "' and cannot acquire its write lock, since it would wait for itself: unlock the read lock"
					+ " first, acquire the write lock, and read again what may have changed");
		}
		monitor(held).loseIfLeaseEnded(held);
		if (!held.isValid() && !held.isReleased()) {
			throw held.lostException();
		}
		return held.enterAgain(mode);
	}

	/** Called by the thread that has acquired the lock. */
	private void acquired(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks == null) {
			locks = new ArrayList<>(2);
			this.heldLocks.set(locks);
		}
		locks.removeIf((former) -> former.isFree());
		locks.add(held);
		held.grant().origin().whenEnded(() -> releaseWithTransaction(held));
	}

	/** Leaves the lock once; called by any thread. */
	void leave(HeldLock held, LockMode mode) {
		if (held.leave(mode)) {
			remove(held);
			endHold(held);
		}
		else if (held.isLost()) {
			throw held.lostException();
		}
	}

	private void remove(HeldLock held) {
		List<HeldLock> locks = this.heldLocks.get();
		if (locks != null && locks.remove(held) && locks.isEmpty()) {
			this.heldLocks.remove();
		}
	}

	/** After the last entry: releases the lock, unless it was released or lost before. */
	private void endHold(HeldLock held) {
		LeaseMonitor monitor = monitor(held);
		monitor.loseIfLeaseEnded(held);
		if (!held.markReleased()) {
			held.clearInterruptOfLoss();
			if (held.isLost() || isTooLateForTransaction(held)) {
				throw held.lostException();
			}
			return;
		}
		monitor.remove(held);
		GrantState state = handOffOrRelease(held, monitor);
		if (state == GrantState.LOST) {
			monitor.reportLoss(held, "when it was released, the engine did not know it any more", held.lossListeners(),
					Runnable::run);
			throw held.lostException();
		}
		if (state == null) {
			publish(LockEvent.Type.RELEASE_DELAYED, held);
		}
		publish(LockEvent.Type.RELEASED, held);
	}

	/** Called when the transaction that the grant is bound to has completed. */
	private void releaseWithTransaction(HeldLock held) {
		if (held.markReleased()) {
			LeaseMonitor monitor = monitor(held);
			monitor.remove(held);
			handOffOrRelease(held, monitor);
			publish(LockEvent.Type.RELEASED, held);
		}
	}

	/**
	 * A lock that was released with its transaction may be unlocked while that completes,
	 * but not later. Another thread cannot determine that.
	 */
	private static boolean isTooLateForTransaction(HeldLock held) {
		return held.isOfCurrentThread() && held.grant().release(Duration.ZERO) == GrantState.LOST;
	}

	/**
	 * Hands the grant off or releases it, and admits the next thread. Returns whether it
	 * was valid until now; null if the engine did not confirm that.
	 */
	private @Nullable GrantState handOffOrRelease(HeldLock held, LeaseMonitor monitor) {
		Duration stayLocked = held.remainingMinimumHold();
		LocalLockQueue queue = held.queue();
		boolean handedOff = false;
		try {
			held.grant().abandoned();
			HeldLease next = null;
			QueuedRequest nextWaiter = (queue != null && stayLocked.isZero()) ? queue.chooseNext() : null;
			if (queue != null && nextWaiter != null) {
				next = handOff(held, nextWaiter);
				handedOff = next != null && queue.handOff(nextWaiter, next);
			}
			if (next == null) {
				return held.grant().release(stayLocked);
			}
			if (!handedOff) {
				monitor.release(next.grant());
			}
			return GrantState.HELD;
		}
		catch (RuntimeException | Error ex) {
			monitor.releaseInBackground(held.grant(), stayLocked);
			logger.warn("The release of the " + held
					+ " could not be confirmed by the engine; it is repeated until the lease ends", ex);
			LeaseMonitor.throwIfError(ex);
			return null;
		}
		finally {
			if (!handedOff) {
				held.leaveQueue();
			}
		}
	}

	/**
	 * Only if the next thread of this JVM wants the lock from the same engine, and would
	 * overtake nobody in a queue of the engine.
	 */
	private @Nullable HeldLease handOff(HeldLock held, QueuedRequest next) {
		LockEngine asked = held.lease().askedEngine();
		if (asked.queuesWaiters() || this.engines.engine(next.options()) != asked) {
			return null;
		}
		long requestedAt = System.nanoTime();
		LockGrant grant = held.grant().handOff(next.toEngine());
		return (grant != null) ? new HeldLease(asked, grant, next.holdAtMost(), requestedAt) : null;
	}

	private void publish(LockEvent.Type type, HeldLock held) {
		this.listeners.publish(type, held.name(), held.engine().name(), held.nanosHeldAt(System.nanoTime()),
				held.token());
	}

}
