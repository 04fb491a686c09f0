package io.idempotent.lock.engine;

import java.time.Duration;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.engine.Admission.Granted;
import io.idempotent.lock.engine.LockGrant.Ownership;
import io.idempotent.lock.epoch.Term;
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

	LockRelease(HeldLocks heldLocks, EngineSelection engines, LocalLockQueues queues, LockListeners listeners) {
		this.heldLocks = heldLocks;
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
	}

	/**
	 * Takes one entry back, and releases the lock with the last one. Called by any
	 * thread.
	 * @param held the lock
	 */
	void release(HeldLock held) {
		if (!held.leave()) {
			if (held.isLost()) {
				throw held.lostException();
			}
			return;
		}
		this.heldLocks.remove(held);
		if (held.hasEnded()) {
			requireInTime(held);
		}
		else if (held.writer() != null) {
			leaveWriter(held);
		}
		else {
			releaseLastEntry(held);
		}
	}

	/**
	 * Releases a read lock whose thread still holds the write lock. The engine need not
	 * be asked, and nothing is published, as with a re-entry.
	 */
	private void leaveWriter(HeldLock read) {
		this.engines.monitor(read.engine()).loseIfLeaseEnded(read);
		if (!read.release()) {
			throw read.lostException();
		}
	}

	/**
	 * The grant has ended together with the transaction that it is bound to.
	 * @param held the lock
	 */
	void endedByItself(HeldLock held) {
		if (held.endByItself()) {
			this.engines.monitor(held.engine()).remove(held);
			this.queues.leave(held);
			publish(LockEvent.Type.RELEASED, held);
		}
	}

	private void releaseLastEntry(HeldLock held) {
		LeaseMonitor monitor = this.engines.monitor(held.engine());
		monitor.loseIfLeaseEnded(held);
		if (!held.release()) {
			requireNotLost(held);
			return;
		}
		monitor.remove(held);
		HeldLock reader = held.reader();
		Ownership ownership = (reader != null) ? downgrade(held, reader, monitor) : returnGrant(held, monitor);
		if (ownership == Ownership.LOST) {
			publishLoss(held);
			throw held.lostException();
		}
		if (ownership == null) {
			publish(LockEvent.Type.RELEASE_DELAYED, held);
		}
		publish(LockEvent.Type.RELEASED, held);
	}

	/**
	 * Another thread may complete the transaction that the grant is bound to.
	 */
	private static void requireNotLost(HeldLock held) {
		if (!held.hasEnded()) {
			throw held.lostException();
		}
		requireInTime(held);
	}

	/**
	 * The holder may release a lock that has ended with its transaction while that
	 * transaction completes, but not later. Another thread cannot determine that.
	 */
	private static void requireInTime(HeldLock held) {
		if (held.isOfCurrentThread() && held.grant().release(Duration.ZERO) == Ownership.LOST) {
			throw held.lostException();
		}
	}

	/**
	 * Turns the grant of a write lock into that of the read lock that its thread keeps.
	 * @param held the released write lock
	 * @param reader the read lock
	 * @param monitor monitors the read lock
	 * @return as {@link #returnGrant}
	 */
	private @Nullable Ownership downgrade(HeldLock held, HeldLock reader, LeaseMonitor monitor) {
		try {
			long requestedAt = System.nanoTime();
			LockGrant shared = held.grant().downgrade();
			if (shared == null) {
				monitor.lose(reader, "the write lock that it was taken under is lost");
				return Ownership.LOST;
			}
			continueReader(reader, shared, requestedAt, monitor);
			return Ownership.HELD;
		}
		catch (RuntimeException ex) {
			logger.warn("The " + held + " could not be downgraded: the read lock is lost", ex);
			monitor.releaseLater(held.grant(), Duration.ZERO);
			monitor.lose(reader, "the write lock that it was taken under could not be downgraded");
			return null;
		}
		finally {
			this.queues.leave(held);
		}
	}

	private void continueReader(HeldLock reader, LockGrant shared, long requestedAt, LeaseMonitor monitor) {
		if (reader.continueWith(shared, requestedAt)) {
			monitor.add(reader);
			this.listeners.publish(LockEvent.Type.OBTAINED, reader.name(), reader.engine().name(), 0, shared.token());
		}
		else {
			monitor.releaseUnused(shared);
		}
	}

	/**
	 * Hands the grant over or returns it to the engine, and admits the next thread.
	 * @param held the released lock
	 * @param monitor repeats a release that fails
	 * @return whether the grant was valid until now, or {@code null} if the engine did
	 * not confirm that
	 */
	private @Nullable Ownership returnGrant(HeldLock held, LeaseMonitor monitor) {
		Duration stayLocked = held.remainingMinimumHold();
		boolean handedOver = false;
		try {
			Waiter nextWaiter = stayLocked.isZero() ? nextWaiter(held) : null;
			Granted next = (nextWaiter != null) ? handOff(held, nextWaiter) : null;
			if (nextWaiter == null || next == null) {
				return held.grant().release(stayLocked);
			}
			handedOver = nextWaiter.queue().handOver(nextWaiter, next);
			if (!handedOver) {
				monitor.releaseUnused(next.grant());
			}
			return Ownership.HELD;
		}
		catch (RuntimeException ex) {
			logger.warn("The release of the " + held
					+ " could not be sent to the engine; it is repeated until the lease ends", ex);
			monitor.releaseLater(held.grant(), stayLocked);
			return null;
		}
		finally {
			leaveQueue(held, handedOver);
		}
	}

	private void leaveQueue(HeldLock held, boolean handedOver) {
		if (handedOver) {
			this.queues.leave(held.name());
		}
		else {
			this.queues.leave(held);
		}
	}

	private static @Nullable Waiter nextWaiter(HeldLock held) {
		LocalLockQueue queue = held.queue();
		return (queue != null) ? queue.nextWaiter() : null;
	}

	/**
	 * Hands the grant over, if the next thread of this JVM wants the lock from the same
	 * engine. The term is determined once, before the engine is asked: nodes may switch
	 * to another engine at any moment.
	 */
	private @Nullable Granted handOff(HeldLock held, Waiter nextWaiter) {
		Term term = this.engines.openTerm(nextWaiter.request().options());
		if (term == null || this.engines.engine(term) != held.engine()) {
			return null;
		}
		long requestedAt = System.nanoTime();
		LockGrant next = held.grant().handOff(nextWaiter.request().toLockRequest(LockRequest.NEVER_CANCELLED));
		return (next != null) ? new Granted(term, next, requestedAt) : null;
	}

	private void publish(LockEvent.Type type, HeldLock held) {
		this.listeners.publish(type, held.name(), held.engine().name(), held.nanosHeld(), held.token());
	}

	private void publishLoss(HeldLock held) {
		LockEvent loss = held.event(LockEvent.Type.LOST);
		logger.warn("Lost " + held + ", held for " + DurationText.ofMeasured(loss.time())
				+ ": when it was released, the engine did not know it any more");
		this.listeners.publish(loss);
		held.lossListeners().forEach((listener) -> LockListeners.publish(listener, loss));
	}

}
