package io.idempotent.lock.internal.acquire;

import java.time.Duration;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.internal.hold.EngineSelection;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.HeldLocks;
import io.idempotent.lock.internal.hold.LeaseMonitor;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.internal.hold.ReaderGrant;
import io.idempotent.lock.internal.queue.AcquireRequest;
import io.idempotent.lock.internal.queue.EngineGrant;
import io.idempotent.lock.internal.queue.LocalLockQueue;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import io.idempotent.lock.internal.queue.QueuedThread;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Releases locks: returns the grant to the engine, or hands it over to the next thread of
 * this JVM.
 */
final class LockRelease {

	private static final Log logger = LogFactory.getLog(LockRelease.class);

	private final HeldLocks heldLocks;

	private final EngineSelection engines;

	private final LocalLockQueues queues;

	private final LockListeners listeners;

	private final LockDowngrade downgrade;

	LockRelease(HeldLocks heldLocks, EngineSelection engines, LocalLockQueues queues, LockListeners listeners) {
		this.heldLocks = heldLocks;
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
		this.downgrade = new LockDowngrade(listeners);
	}

	/**
	 * Leaves one entry, and releases the lock with the last one. Called by any thread.
	 * @param held the lock
	 */
	void release(HeldLock held) {
		if (!held.state().leave()) {
			if (held.state().isLost()) {
				throw held.lostException();
			}
			return;
		}
		this.heldLocks.remove(held);
		if (held.state().hasEnded()) {
			requireInTime(held);
		}
		else if (ReaderGrant.leaseholder(held) != held) {
			leaveWriter(held);
		}
		else {
			releaseLastEntry(held);
		}
	}

	/**
	 * Releases a read lock whose thread still holds the write lock. The engine is not
	 * called, and no event is published, as with a re-entry.
	 */
	private void leaveWriter(HeldLock read) {
		this.engines.monitor(read.engine()).loseIfLeaseEnded(read);
		if (!read.state().release()) {
			throw read.lostException();
		}
	}

	/**
	 * The grant has ended together with the transaction that it is bound to.
	 * @param held the lock
	 */
	void endedByItself(HeldLock held) {
		if (held.state().endByItself()) {
			held.grant().abandoned();
			this.engines.monitor(held.engine()).remove(held);
			held.leaveQueue(this.queues);
			publish(LockEvent.Type.RELEASED, held);
		}
	}

	private void releaseLastEntry(HeldLock held) {
		LeaseMonitor monitor = this.engines.monitor(held.engine());
		monitor.loseIfLeaseEnded(held);
		if (!held.state().release()) {
			requireNotLost(held);
			return;
		}
		monitor.remove(held);
		HeldLock reader = held.dependent();
		GrantState state = (reader != null) ? downgrade(held, reader, monitor) : returnGrant(held, monitor);
		if (state == GrantState.LOST) {
			publishLoss(held);
			throw held.lostException();
		}
		if (state == null) {
			publish(LockEvent.Type.RELEASE_DELAYED, held);
		}
		publish(LockEvent.Type.RELEASED, held);
	}

	/**
	 * Another thread may complete the transaction that the grant is bound to.
	 */
	private static void requireNotLost(HeldLock held) {
		if (!held.state().hasEnded()) {
			throw held.lostException();
		}
		requireInTime(held);
	}

	/**
	 * The holder may release a lock that has ended with its transaction while that
	 * transaction completes, but not later. Another thread cannot determine that.
	 */
	private static void requireInTime(HeldLock held) {
		if (held.state().isOfCurrentThread() && held.grant().release(Duration.ZERO) == GrantState.LOST) {
			throw held.lostException();
		}
	}

	private @Nullable GrantState downgrade(HeldLock writer, HeldLock reader, LeaseMonitor monitor) {
		try {
			return this.downgrade.downgrade(writer, reader, monitor);
		}
		finally {
			writer.leaveQueue(this.queues);
		}
	}

	/**
	 * Hands the grant over or returns it to the engine, and admits the next thread.
	 * @param held the released lock
	 * @param monitor repeats a release that fails
	 * @return whether the grant was valid until now, or {@code null} if the engine did
	 * not confirm that
	 */
	private @Nullable GrantState returnGrant(HeldLock held, LeaseMonitor monitor) {
		Duration stayLocked = held.remainingMinimumHold();
		boolean handedOver = false;
		held.grant().abandoned();
		try {
			EngineGrant next = null;
			LocalLockQueue queue = held.queue();
			QueuedThread nextWaiter = (queue != null && stayLocked.isZero()) ? queue.nextWaiter() : null;
			if (queue != null && nextWaiter != null) {
				next = handOff(held, nextWaiter.request());
				handedOver = next != null && queue.handOver(nextWaiter, next);
			}
			if (next == null) {
				return held.grant().release(stayLocked);
			}
			if (!handedOver) {
				monitor.releaseUnused(next.grant());
			}
			return GrantState.HELD;
		}
		catch (RuntimeException ex) {
			logger.warn("The release of the " + held
					+ " could not be sent to the engine; it is repeated until the lease ends", ex);
			monitor.releaseLater(held.grant(), stayLocked);
			return null;
		}
		finally {
			if (handedOver) {
				this.queues.leave(held.name());
			}
			else {
				held.leaveQueue(this.queues);
			}
		}
	}

	/**
	 * Hands the grant over, if the next thread of this JVM wants the lock from the same
	 * engine.
	 */
	private @Nullable EngineGrant handOff(HeldLock held, AcquireRequest next) {
		LockEngine engine = this.engines.engine(next.options());
		if (engine != held.askedEngine()) {
			return null;
		}
		long requestedAt = System.nanoTime();
		LockGrant grant = held.grant().handOff(next.toEngine());
		return (grant != null) ? EngineGrant.of(engine, grant, requestedAt) : null;
	}

	private void publish(LockEvent.Type type, HeldLock held) {
		this.listeners.publish(type, held.name(), held.engine().name(), held.nanosHeld(), held.token());
	}

	private void publishLoss(HeldLock held) {
		LockEvent loss = held.event(LockEvent.Type.LOST);
		logger.warn("Lost " + held + ", held for " + DurationText.ofMeasured(loss.time())
				+ ": when it was released, the engine did not know it any more");
		this.listeners.publish(loss);
		held.state().lossListeners().forEach((listener) -> LockListeners.publish(listener, loss));
	}

}
