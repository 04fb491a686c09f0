package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.engine.LockObserver;
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

	public Collection<QueuedRequest> waiting() {
		return this.acquisition.waiting();
	}

	/** Whether its engine is that of locks that name none. */
	public boolean isUsual(HeldLock held) {
		return held.askedEngine() == this.engines.first();
	}

	public void extend(HeldLock held, Duration time) {
		this.engines.monitor(held.engine()).extend(held, time);
	}

	/** Called by any thread. */
	public void release(HeldLock held) {
		this.release.release(held);
	}

	public @Nullable HeldLock find(String name, LockMode mode) {
		return this.heldLocks.find(name, mode);
	}

	/** The innermost last. */
	public List<HeldLock> heldByCurrentThread() {
		return this.heldLocks.all();
	}

	public HeldLock require(String name, LockMode mode) {
		HeldLock held = find(name, mode);
		if (held == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the "
					+ ((mode == LockMode.READ) ? "read lock '" : "lock '") + name + "'");
		}
		return held;
	}

	/**
	 * Throws an {@link InterruptedException} only if the request is interruptible, or the
	 * engine cannot ignore interrupts.
	 */
	public boolean acquire(QueuedRequest request) throws InterruptedException {
		HeldLock held = find(request.name(), request.mode());
		return (held != null && enterAgain(held)) || enterBesideOtherMode(request) || acquireObserved(request);
	}

	private boolean enterAgain(HeldLock held) {
		requireNotLost(held);
		return held.state().enterAgain();
	}

	private void requireNotLost(HeldLock held) {
		this.engines.monitor(held.engine()).loseIfLeaseEnded(held);
		if (!held.isValid() && !held.state().isReleased()) {
			throw held.lostException();
		}
	}

	private boolean enterBesideOtherMode(QueuedRequest request) {
		if (request.mode() == LockMode.WRITE) {
			if (find(request.name(), LockMode.READ) != null) {
				throw new IllegalMonitorStateException("The current thread holds the read lock '" + request.name()
						+ "' and cannot acquire its write lock, since it would wait for itself: unlock the read lock"
						+ " first, acquire the write lock, and read again what may have changed");
			}
			return false;
		}
		HeldLock writer = find(request.name(), LockMode.WRITE);
		if (writer == null || writer.state().isReleased()) {
			return false;
		}
		requireNotLost(writer);
		this.heldLocks.add(writer.addReader());
		return true;
	}

	private boolean acquireObserved(QueuedRequest request) throws InterruptedException {
		LockObserver.Acquisition observed = this.observer.start(request.name(), request.mode(), engineName(request));
		HeldLock held;
		try {
			held = this.acquisition.acquire(request);
		}
		catch (Throwable ex) {
			observed.end(outcome(ex), engineName(request), (ex instanceof InterruptedException) ? null : ex);
			throw ex;
		}
		if (held == null) {
			observed.end(AcquisitionOutcome.NOT_OBTAINED, engineName(request), null);
			return false;
		}
		observed.end(AcquisitionOutcome.OBTAINED, held.engine().name(), null);
		return true;
	}

	private String engineName(QueuedRequest request) {
		return this.engines.engine(request.options()).name();
	}

	private static AcquisitionOutcome outcome(Throwable ex) {
		if (ex instanceof LockUnavailableException) {
			return AcquisitionOutcome.UNAVAILABLE;
		}
		return (ex instanceof InterruptedException) ? AcquisitionOutcome.INTERRUPTED : AcquisitionOutcome.ERROR;
	}

}
