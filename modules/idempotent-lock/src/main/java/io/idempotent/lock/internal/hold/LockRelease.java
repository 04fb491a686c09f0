package io.idempotent.lock.internal.hold;

import java.time.Duration;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Releases locks: returns the grant to the engine, or hands it off to the next thread of
 * this JVM.
 */
record LockRelease(EngineSelection engines, LockListeners listeners) {

	private static final Log logger = LogFactory.getLog(LockRelease.class);

	/** Called when the last entry was left. */
	void release(HeldLock held) {
		LeaseMonitor monitor = this.engines.monitor(held.engine());
		monitor.loseIfLeaseEnded(held);
		if (!held.release()) {
			if (held.isLost() || isAfterTransaction(held)) {
				throw held.lostException();
			}
			return;
		}
		monitor.remove(held);
		GrantState state = returnGrant(held, monitor);
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
	void releaseWithTransaction(HeldLock held) {
		if (held.release()) {
			LeaseMonitor monitor = this.engines.monitor(held.engine());
			monitor.remove(held);
			returnGrant(held, monitor);
			publish(LockEvent.Type.RELEASED, held);
		}
	}

	/**
	 * A lock that was released with its transaction may be unlocked while that completes,
	 * but not later. Another thread cannot determine that.
	 */
	private static boolean isAfterTransaction(HeldLock held) {
		return held.isOfCurrentThread() && held.grant().release(Duration.ZERO) == GrantState.LOST;
	}

	/**
	 * Hands the grant off or returns it, and admits the next thread. Returns whether it
	 * was valid until now; null if the engine did not confirm that.
	 */
	private @Nullable GrantState returnGrant(HeldLock held, LeaseMonitor monitor) {
		Duration stayLocked = held.remainingMinimumHold();
		LocalLockQueue queue = held.queue();
		boolean handedOff = false;
		try {
			held.grant().abandoned();
			HeldLease next = null;
			QueuedRequest nextWaiter = (queue != null && stayLocked.isZero()) ? queue.nextWaiter() : null;
			if (queue != null && nextWaiter != null) {
				next = handOff(held, nextWaiter);
				handedOff = next != null && queue.handOff(nextWaiter, next);
			}
			if (next == null) {
				return held.grant().release(stayLocked);
			}
			if (!handedOff) {
				monitor.releaseUnused(next.grant());
			}
			return GrantState.HELD;
		}
		catch (RuntimeException | Error ex) {
			monitor.releaseLater(held.grant(), stayLocked);
			logger.warn("The release of the " + held
					+ " could not be sent to the engine; it is repeated until the lease ends", ex);
			throwIfError(ex);
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
		LockEngine asked = held.lease().asked();
		if (asked.queuesWaiters() || this.engines.engine(next.options()) != asked) {
			return null;
		}
		long requestedAt = System.nanoTime();
		LockGrant grant = held.grant().handOff(next.toEngine());
		return (grant != null) ? new HeldLease(asked, grant, next.holdAtMost(), requestedAt) : null;
	}

	static void throwIfError(Throwable ex) {
		if (ex instanceof Error error) {
			throw error;
		}
	}

	private void publish(LockEvent.Type type, HeldLock held) {
		this.listeners.publish(type, held.name(), held.engine().name(), held.nanosHeldAt(System.nanoTime()),
				held.token());
	}

}
