package io.idempotent.lock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.Admission.AskSameEngine;
import io.idempotent.lock.engine.Admission.Granted;
import io.idempotent.lock.engine.EngineSwitch.Choice;
import io.idempotent.lock.engine.LockGrant.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks for threads: a thread enters a lock again that it holds, otherwise it
 * waits in the queue of this JVM, and then asks the engine.
 */
final class LockAcquisition {

	private final HeldLocks heldLocks = new HeldLocks();

	private final EngineSwitch engines;

	private final LocalLockQueues queues;

	private final LockListeners listeners;

	private final LockRelease release;

	LockAcquisition(EngineSwitch engines, LocalLockQueues queues, LockListeners listeners) {
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
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
	 * @return the held lock
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
		long start = System.nanoTime();
		try {
			held = acquireAnew(request, deadline);
		}
		catch (LockUnavailableException ex) {
			publish(LockEvent.Type.UNAVAILABLE, request, start);
			throw ex;
		}
		if (held == null) {
			publish(LockEvent.Type.NOT_OBTAINED, request, start);
			return false;
		}
		this.listeners.publish(LockEvent.Type.OBTAINED, request.name(), held.engine().name(), System.nanoTime() - start,
				held.grant().token());
		return true;
	}

	/**
	 * Takes one entry of a lock back, and releases the lock with the last one. Called by
	 * any thread.
	 * @param held the lock
	 */
	void release(HeldLock held) {
		this.release.release(held);
	}

	private void publish(LockEvent.Type type, AcquireRequest request, long start) {
		this.listeners.publish(type, request.name(), choice(request.options()).engine().name(),
				System.nanoTime() - start, 0);
	}

	private Choice choice(LockOptions options) {
		return this.engines.choice(options.engine());
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

	private @Nullable HeldLock acquireAnew(AcquireRequest request, Deadline deadline) throws InterruptedException {
		return (request.mode() == LockMode.READ) ? acquireShared(request, deadline)
				: acquireExclusive(request, deadline);
	}

	/**
	 * One reader at a time waits at the engine, but any number holds. An attempt that
	 * does not wait need not queue.
	 */
	private @Nullable HeldLock acquireShared(AcquireRequest request, Deadline deadline) throws InterruptedException {
		if (deadline == Deadline.NOW) {
			return obtain(request, null, Admission.ASK_ENGINE, deadline);
		}
		LocalLockQueue queue = this.queues.join(request.queueName());
		Admission admission = null;
		try {
			admission = requireOpen(request, queue.enter(request, deadline));
			return (admission != null) ? obtain(request, null, admission, deadline) : null;
		}
		finally {
			leaveQueue(request.queueName(), queue, admission != null);
		}
	}

	private @Nullable HeldLock acquireExclusive(AcquireRequest request, Deadline deadline) throws InterruptedException {
		LocalLockQueue queue = this.queues.join(request.name());
		HeldLock held = null;
		Admission admission = null;
		try {
			admission = requireOpen(request, queue.enter(request, deadline));
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
		Granted granted = firstGrant(request, admission, deadline);
		while (granted != null) {
			if (choice(request.options()).engine() != granted.engine()) {
				// The engine was switched meanwhile: this grant excludes no other node.
				this.engines.monitor(granted.engine()).releaseUnused(granted.grant());
				granted = askEngine(request, choice(request.options()), deadline);
				continue;
			}
			boolean old = mayBeOld(granted);
			long leaseStart = old ? System.nanoTime() : granted.requestedAt();
			if (!old || renewAtOnce(granted) == Ownership.HELD) {
				return start(new HeldLock(request.name(), queue, granted.engine(), granted.grant(), request.options(),
						request.defaults().limit(request.options()), leaseStart));
			}
			granted = (deadline.nanosLeft() > 0) ? askEngine(request, choice(request.options()), deadline) : null;
		}
		return null;
	}

	private @Nullable Granted firstGrant(AcquireRequest request, Admission admission, Deadline deadline)
			throws InterruptedException {
		if (admission instanceof Granted handedOver) {
			return handedOver;
		}
		Choice choice = (admission instanceof AskSameEngine same) ? this.engines.choice(same.engine().name())
				: choice(request.options());
		return askEngine(request, choice, deadline);
	}

	private static @Nullable Granted askEngine(AcquireRequest request, Choice choice, Deadline deadline)
			throws InterruptedException {
		SharedLocks.require(choice.engine(), request.mode());
		long requestedAt = System.nanoTime();
		LockGrant grant = choice.engine().acquire(request.toLockRequest(), deadline.left());
		return (grant != null) ? new Granted(choice.engine(), grant, requestedAt) : null;
	}

	/**
	 * Whether a third of the lease may have passed. An engine that had to wait does not
	 * report when it granted the lock, so that the lease counts from the request. A grant
	 * that may be old is renewed before it is used.
	 */
	private static boolean mayBeOld(Granted granted) {
		Duration lease = granted.grant().lease();
		return lease != null && System.nanoTime() - granted.requestedAt() >= lease.toNanos() / 3;
	}

	private Ownership renewAtOnce(Granted granted) {
		LockGrant grant = granted.grant();
		try {
			return grant.renew(Objects.requireNonNull(grant.lease()));
		}
		catch (RuntimeException ex) {
			this.engines.monitor(granted.engine()).releaseLater(grant, Duration.ZERO);
			throw ex;
		}
	}

	private HeldLock start(HeldLock held) {
		LeaseMonitor monitor = this.engines.monitor(held.engine());
		try {
			if (this.queues.isClosed()) {
				// They were closed while the engine was asked.
				throw closed(held.name());
			}
			monitor.add(held);
		}
		catch (Throwable ex) {
			monitor.releaseUnused(held.grant());
			throw ex;
		}
		this.heldLocks.add(held);
		LocalLockQueue queue = held.queue();
		if (queue != null && held.engine().queuesWaiters()) {
			queue.admitToQueueOf(held.engine());
		}
		held.grant().whenEnded(() -> this.release.endedByItself(held));
		return held;
	}

}
