package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.Admission.Granted;
import io.idempotent.lock.engine.LockGrant.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks for threads: a thread enters a lock again that it holds, otherwise it
 * waits in the queue of this JVM, and then asks the engine.
 */
final class LockAcquisition {

	private final HeldLocks heldLocks = new HeldLocks();

	private final EngineSelection engines;

	private final LocalLockQueues queues;

	private final LockListeners listeners;

	private final LockObserver observer;

	private final EngineRequests requests;

	private final LockRelease release;

	LockAcquisition(EngineSelection engines, LocalLockQueues queues, LockListeners listeners, LockObserver observer) {
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
		this.observer = observer;
		this.requests = new EngineRequests(engines, this.heldLocks);
		this.release = new LockRelease(this.heldLocks, engines, queues, listeners);
	}

	@Nullable HeldLock find(String name, LockMode mode) {
		return this.heldLocks.find(name, mode);
	}

	/**
	 * The locks of the current thread, without those that ended with their transaction.
	 * @return the locks, the innermost last
	 */
	List<HeldLock> heldByCurrentThread() {
		return this.heldLocks.all().stream().filter((held) -> !held.hasEnded()).toList();
	}

	/**
	 * Finds a lock of the current thread.
	 * @param name the lock
	 * @param mode its mode
	 * @throws IllegalMonitorStateException if the thread does not hold it
	 */
	HeldLock require(String name, LockMode mode) {
		HeldLock held = this.heldLocks.find(name, mode);
		if (held == null) {
			throw new IllegalMonitorStateException("The current thread does not hold the "
					+ ((mode == LockMode.READ) ? "read lock '" : "lock '") + name + "'");
		}
		return held;
	}

	/**
	 * The name among whose grants the token of a lock grows.
	 * @param held the lock
	 * @param qualifiedName its name at the engine
	 */
	String fenceName(HeldLock held, String qualifiedName) {
		return this.engines.isUsual(held.term()) ? qualifiedName : qualifiedName + " (" + held.engine().name() + ")";
	}

	/**
	 * Acquires a lock.
	 * @param request what the thread wants
	 * @param deadline how long to wait
	 * @return whether the current thread holds the lock
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request or the engine does not ignore that
	 */
	boolean acquire(AcquireRequest request, Deadline deadline) throws InterruptedException {
		HeldLock held = this.heldLocks.find(request.name(), request.mode());
		if (held != null && held.hasEnded()) {
			// It ended with its transaction and was never unlocked.
			this.heldLocks.remove(held);
		}
		else if (held != null && enterAgain(held)) {
			return true;
		}
		if (enterBesideOtherMode(request)) {
			return true;
		}
		LockObservation observation = this.observer.start(request.name(), request.mode(),
				this.engines.nameFor(request.options()));
		try {
			held = acquireFirst(request, deadline);
		}
		catch (Throwable ex) {
			observation.end(outcome(ex), this.engines.nameFor(request.options()),
					(ex instanceof InterruptedException) ? null : ex);
			throw ex;
		}
		if (held == null) {
			observation.end(AcquisitionOutcome.NOT_OBTAINED, this.engines.nameFor(request.options()), null);
			return false;
		}
		observation.end(AcquisitionOutcome.OBTAINED, held.engine().name(), null);
		return true;
	}

	private static AcquisitionOutcome outcome(Throwable ex) {
		if (ex instanceof LockUnavailableException) {
			return AcquisitionOutcome.UNAVAILABLE;
		}
		return (ex instanceof InterruptedException) ? AcquisitionOutcome.INTERRUPTED : AcquisitionOutcome.ERROR;
	}

	/**
	 * Acquires a lock that the thread does not hold, and publishes the result.
	 */
	private @Nullable HeldLock acquireFirst(AcquireRequest request, Deadline deadline) throws InterruptedException {
		long start = System.nanoTime();
		HeldLock held;
		try {
			held = acquireAnew(request, deadline, start);
		}
		catch (LockUnavailableException ex) {
			publish(LockEvent.Type.UNAVAILABLE, request, start);
			throw ex;
		}
		if (held == null) {
			publish(LockEvent.Type.NOT_OBTAINED, request, start);
			return null;
		}
		this.listeners.publish(LockEvent.Type.OBTAINED, request.name(), held.engine().name(), System.nanoTime() - start,
				held.token());
		return held;
	}

	/**
	 * Takes one entry of a lock back, and releases the lock with the last one. Called by
	 * any thread.
	 * @param held the lock
	 */
	void release(HeldLock held) {
		this.release.release(held);
	}

	/**
	 * Lets a lock be held longer.
	 * @param held the lock
	 * @param time how long from now it may be held at least
	 */
	void extend(HeldLock held, Duration time) {
		this.engines.monitor(held.engine()).extend(held, time);
	}

	private void publish(LockEvent.Type type, AcquireRequest request, long start) {
		this.listeners.publish(type, request.name(), this.engines.nameFor(request.options()), System.nanoTime() - start,
				0);
	}

	private boolean enterAgain(HeldLock held) {
		requireNotLost(held);
		return held.enterAgain();
	}

	private void requireNotLost(HeldLock held) {
		this.engines.monitor(held.engine()).loseIfLeaseEnded(held);
		if (held.isLost() || !held.grant().isValid()) {
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
			if (this.heldLocks.find(request.name(), LockMode.READ) != null) {
				throw new IllegalMonitorStateException("The current thread holds the read lock '" + request.name()
						+ "' and cannot acquire its write lock, since it would wait for itself: unlock the read lock"
						+ " first, acquire the write lock, and read again what may have changed");
			}
			return false;
		}
		HeldLock writer = this.heldLocks.find(request.name(), LockMode.WRITE);
		if (writer == null || writer.hasEnded()) {
			return false;
		}
		requireNotLost(writer);
		this.heldLocks.add(writer.coverReader());
		return true;
	}

	private @Nullable HeldLock acquireAnew(AcquireRequest request, Deadline deadline, long start)
			throws InterruptedException {
		return (request.mode() == LockMode.READ) ? acquireShared(request, deadline, start)
				: acquireExclusive(request, deadline, start);
	}

	/**
	 * One reader at a time waits at the engine, but any number holds. An attempt that
	 * does not wait need not queue.
	 */
	private @Nullable HeldLock acquireShared(AcquireRequest request, Deadline deadline, long start)
			throws InterruptedException {
		if (deadline == Deadline.NOW) {
			if (this.queues.isClosed()) {
				throw closed(request.name());
			}
			return obtain(request, null, Admission.ASK_ENGINE, deadline);
		}
		LocalLockQueue queue = this.queues.join(request.queueName());
		Admission admission = null;
		try {
			admission = requireOpen(request, queue.enter(request, deadline, start));
			return (admission != null) ? obtain(request, null, admission, deadline) : null;
		}
		finally {
			leaveQueue(request.queueName(), queue, admission != null);
		}
	}

	private @Nullable HeldLock acquireExclusive(AcquireRequest request, Deadline deadline, long start)
			throws InterruptedException {
		LocalLockQueue queue = this.queues.join(request.name());
		HeldLock held = null;
		Admission admission = null;
		try {
			admission = requireOpen(request, queue.enter(request, deadline, start));
			held = (admission != null) ? obtain(request, queue, admission, deadline) : null;
			return held;
		}
		finally {
			if (held == null) {
				leaveQueue(request.name(), queue, admission != null);
			}
		}
	}

	private static @Nullable Admission requireOpen(AcquireRequest request, @Nullable Admission admission) {
		if (admission == Admission.CLOSED) {
			throw closed(request.name());
		}
		return admission;
	}

	private static LockUnavailableException closed(String name) {
		return new LockUnavailableException("The lock '" + name
				+ "' cannot be taken any more: the locks of this application are closed, since it is shutting down",
				null);
	}

	private void leaveQueue(String name, LocalLockQueue queue, boolean admitted) {
		if (admitted) {
			this.queues.leave(name, queue, false);
		}
		else {
			this.queues.leave(name);
		}
	}

	private @Nullable HeldLock obtain(AcquireRequest request, @Nullable LocalLockQueue queue, Admission admission,
			Deadline deadline) throws InterruptedException {
		Granted granted = this.requests.first(request, admission, deadline);
		while (granted != null) {
			if (!this.engines.isWanted(request.options(), granted.term())) {
				// The engine that another thread of this JVM uses, by its options.
				this.requests.releaseUnused(granted);
				granted = this.requests.ask(request, deadline);
				continue;
			}
			boolean old = EngineRequests.mayBeOld(granted);
			long leaseStart = old ? System.nanoTime() : granted.requestedAt();
			if (old && this.requests.renewAtOnce(granted) == Ownership.LOST) {
				granted = (deadline.nanosLeft() > 0) ? this.requests.ask(request, deadline) : null;
				continue;
			}
			if (this.requests.enter(granted.term())) {
				return start(request, queue, granted, leaseStart);
			}
			// The nodes are switching to another engine: this grant excludes nobody.
			this.requests.releaseUnused(granted);
			granted = this.requests.ask(request, deadline);
		}
		return null;
	}

	/**
	 * Starts to hold a lock, which the term has counted.
	 */
	private HeldLock start(AcquireRequest request, @Nullable LocalLockQueue queue, Granted granted, long leaseStart) {
		HeldLock held;
		try {
			held = monitored(request, queue, granted, leaseStart);
		}
		catch (Throwable ex) {
			granted.term().leave();
			this.requests.releaseUnused(granted);
			throw ex;
		}
		this.heldLocks.add(held);
		if (queue != null) {
			queue.heldBy(held);
		}
		if (queue != null && held.engine().queuesWaiters()) {
			queue.admitToQueueOf(held.engine());
		}
		held.grant().whenEnded(() -> this.release.endedByItself(held));
		return held;
	}

	private HeldLock monitored(AcquireRequest request, @Nullable LocalLockQueue queue, Granted granted,
			long leaseStart) {
		if (this.queues.isClosed()) {
			// They were closed while the engine was asked.
			throw closed(request.name());
		}
		HeldLock held = new HeldLock(request.name(), queue, this.engines.engine(granted.term()), granted.term(),
				granted.grant(), request.options(), request.defaults().limit(request.options()), leaseStart);
		this.requests.monitor(granted).add(held);
		return held;
	}

}
