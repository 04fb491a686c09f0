package io.idempotent.lock.internal.acquire;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.engine.LockObservation;
import io.idempotent.lock.engine.LockObserver;
import io.idempotent.lock.internal.hold.EngineSelection;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.HeldLocks;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.internal.queue.AcquireRequest;
import io.idempotent.lock.internal.queue.Deadline;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import io.idempotent.lock.internal.queue.QueuedThread;
import org.jspecify.annotations.Nullable;

/**
 * The locks of threads: a thread enters a lock again that it holds, reads under its write
 * lock, or acquires a lock anew. Each acquisition is observed.
 */
public final class ThreadLocks {

	private final HeldLocks heldLocks = new HeldLocks();

	private final EngineSelection engines;

	private final LockAcquisition acquisition;

	private final LockRelease release;

	private final LockObserver observer;

	public ThreadLocks(EngineSelection engines, LocalLockQueues queues, LockListeners listeners,
			LockObserver observer) {
		this.engines = engines;
		this.release = new LockRelease(this.heldLocks, engines, queues, listeners);
		this.acquisition = new LockAcquisition(this.heldLocks, engines, queues, listeners, this.release);
		this.observer = observer;
	}

	/**
	 * The threads that wait, in a queue of this JVM or for the engine.
	 */
	public Collection<QueuedThread> waiting() {
		return this.acquisition.waiting();
	}

	/**
	 * Whether a lock is held on the engine of locks that name none.
	 */
	public boolean isUsual(HeldLock held) {
		return held.askedEngine() == this.engines.first();
	}

	/**
	 * Lets a lock be held longer.
	 * @param held the lock
	 * @param time how long from now it may be held at least
	 */
	public void extend(HeldLock held, Duration time) {
		this.engines.monitor(held.engine()).extend(held, time);
	}

	/**
	 * Takes one entry of a lock back, and releases the lock with the last one. Called by
	 * any thread.
	 * @param held the lock
	 */
	public void release(HeldLock held) {
		this.release.release(held);
	}

	public @Nullable HeldLock find(String name, LockMode mode) {
		return this.heldLocks.find(name, mode);
	}

	/**
	 * The locks of the current thread, without those that ended with their transaction.
	 * @return the locks, the innermost last
	 */
	public List<HeldLock> heldByCurrentThread() {
		return this.heldLocks.all().stream().filter((held) -> !held.state().hasEnded()).toList();
	}

	/**
	 * Finds a lock of the current thread.
	 * @param name the lock
	 * @param mode its mode
	 * @throws IllegalMonitorStateException if the thread does not hold it
	 */
	public HeldLock require(String name, LockMode mode) {
		HeldLock held = find(name, mode);
		if (held == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the "
					+ ((mode == LockMode.READ) ? "read lock '" : "lock '") + name + "'");
		}
		return held;
	}

	/**
	 * Acquires a lock.
	 * @param request what the thread wants
	 * @param deadline how long to wait
	 * @return whether the current thread holds the lock
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request or the engine does not ignore that
	 */
	public boolean acquire(AcquireRequest request, Deadline deadline) throws InterruptedException {
		HeldLock held = find(request.name(), request.mode());
		if (held != null && held.state().hasEnded()) {
			// It ended with its transaction and was never unlocked.
			this.heldLocks.remove(held);
		}
		else if (held != null && enterAgain(held)) {
			return true;
		}
		return enterBesideOtherMode(request) || acquireObserved(request, deadline);
	}

	private boolean enterAgain(HeldLock held) {
		requireNotLost(held);
		return held.state().enterAgain();
	}

	private void requireNotLost(HeldLock held) {
		this.engines.monitor(held.engine()).loseIfLeaseEnded(held);
		if (held.state().isLost() || !held.grant().isValid()) {
			throw held.lostException();
		}
	}

	/**
	 * Takes the read lock of a thread that holds the write lock, which needs no engine.
	 * @return whether the thread holds the write lock and wants the read lock
	 * @throws IllegalMonitorStateException if it holds the read lock and wants the write
	 * lock
	 */
	private boolean enterBesideOtherMode(AcquireRequest request) {
		if (request.mode() == LockMode.WRITE) {
			if (find(request.name(), LockMode.READ) != null) {
				throw new IllegalMonitorStateException("The current thread holds the read lock '" + request.name()
						+ "' and cannot acquire its write lock, since it would wait for itself: unlock the read lock"
						+ " first, acquire the write lock, and read again what may have changed");
			}
			return false;
		}
		HeldLock writer = find(request.name(), LockMode.WRITE);
		if (writer == null || writer.state().hasEnded()) {
			return false;
		}
		requireNotLost(writer);
		this.heldLocks.add(LockDowngrade.reader(writer));
		return true;
	}

	private boolean acquireObserved(AcquireRequest request, Deadline deadline) throws InterruptedException {
		LockObservation observation = this.observer.start(request.name(), request.mode(), engineName(request));
		HeldLock held;
		try {
			held = this.acquisition.acquire(request, deadline);
		}
		catch (Throwable ex) {
			observation.end(outcome(ex), engineName(request), (ex instanceof InterruptedException) ? null : ex);
			throw ex;
		}
		if (held == null) {
			observation.end(AcquisitionOutcome.NOT_OBTAINED, engineName(request), null);
			return false;
		}
		observation.end(AcquisitionOutcome.OBTAINED, held.engine().name(), null);
		return true;
	}

	private String engineName(AcquireRequest request) {
		return this.engines.engine(request.options()).name();
	}

	private static AcquisitionOutcome outcome(Throwable ex) {
		if (ex instanceof LockUnavailableException) {
			return AcquisitionOutcome.UNAVAILABLE;
		}
		return (ex instanceof InterruptedException) ? AcquisitionOutcome.INTERRUPTED : AcquisitionOutcome.ERROR;
	}

}
