package io.idempotent.lock.internal.hold;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.SwitchableEngine;
import org.jspecify.annotations.Nullable;

/** Acquires new locks: a thread waits in the queue of this JVM, then asks the engine. */
final class LockAcquisition {

	private final HeldLocks heldLocks;

	private final EngineSelection engines;

	private final LocalLockQueues queues;

	private final LockListeners listeners;

	private final LockRelease release;

	private final Map<Thread, QueuedRequest> waiting = new ConcurrentHashMap<>();

	LockAcquisition(HeldLocks heldLocks, EngineSelection engines, LocalLockQueues queues, LockListeners listeners,
			LockRelease release) {
		this.heldLocks = heldLocks;
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
		this.release = release;
	}

	Collection<QueuedRequest> waiting() {
		return this.waiting.values();
	}

	/** Publishes the result; null if the lock was not free in time. */
	@Nullable HeldLock acquire(QueuedRequest request) throws InterruptedException {
		this.waiting.put(request.thread(), request);
		HeldLock held;
		try {
			held = queueAndAsk(request);
		}
		catch (LockUnavailableException ex) {
			publish(LockEvent.Type.UNAVAILABLE, request, engine(request), 0);
			throw ex;
		}
		finally {
			this.waiting.remove(request.thread());
		}
		if (held == null) {
			publish(LockEvent.Type.NOT_OBTAINED, request, engine(request), 0);
			return null;
		}
		publish(LockEvent.Type.OBTAINED, request, held.engine(), held.token());
		return held;
	}

	private void publish(LockEvent.Type type, QueuedRequest request, LockEngine engine, long token) {
		this.listeners.publish(type, request.name(), engine.name(), request.nanosWaited(), token);
	}

	/**
	 * One reader at a time waits at the engine, but any number may hold the lock: a
	 * reader admits the next one when it has the lock, and an attempt to read without
	 * waiting need not queue.
	 */
	private @Nullable HeldLock queueAndAsk(QueuedRequest request) throws InterruptedException {
		boolean shared = request.mode() == LockMode.READ;
		if (shared && request.isOneAttempt()) {
			return hold(request, null, ask(request, engine(request)));
		}
		LocalLockQueue queue = this.queues.join(request.queueName());
		HeldLock held = null;
		boolean admitted = false;
		try {
			admitted = queue.enter(request);
			held = admitted ? hold(request, shared ? null : queue, grantOfTurn(request)) : null;
			return held;
		}
		finally {
			if (!admitted) {
				this.queues.leave(request.queueName());
			}
			else if (shared || held == null) {
				this.queues.leave(request.queueName(), queue, false);
			}
		}
	}

	private @Nullable EngineGrant grantOfTurn(QueuedRequest request) throws InterruptedException {
		EngineGrant handedOff = request.handedOff();
		if (handedOff != null) {
			return handedOff;
		}
		LockEngine queueing = request.queueingEngine();
		return ask(request, (queueing != null) ? queueing : engine(request));
	}

	private LockEngine engine(QueuedRequest request) {
		return this.engines.engine(request.options());
	}

	private @Nullable EngineGrant ask(QueuedRequest request, LockEngine engine) throws InterruptedException {
		requireOpen(request);
		engine.requireSupport(request.mode());
		long requestedAt = System.nanoTime();
		Duration wait = Duration.ofNanos(request.nanosLeft());
		LockGrant grant = (engine instanceof SwitchableEngine switchable)
				? switchable.acquire(request.toEngine(), wait, this.heldLocks.validGrants())
				: engine.acquire(request.toEngine(), wait);
		return (grant != null) ? EngineGrant.of(engine, grant, requestedAt) : null;
	}

	private void requireOpen(QueuedRequest request) {
		if (this.queues.isClosed()) {
			throw new LockUnavailableException("The lock '" + request.name()
					+ "' cannot be taken any more: the locks of this application are closed, since it is shutting down",
					null);
		}
	}

	/** Holds what was granted, or asks again until there is a grant to hold. */
	private @Nullable HeldLock hold(QueuedRequest request, @Nullable LocalLockQueue queue, @Nullable EngineGrant first)
			throws InterruptedException {
		EngineGrant granted = first;
		while (granted != null) {
			if (granted.asked() != engine(request) || !granted.grant().isValid()) {
				// Of another engine that the holder in this JVM uses, or ended meanwhile.
				monitor(granted).releaseUnused(granted.grant());
			}
			else {
				EngineGrant usable = granted.mayBeOld() ? monitor(granted).renewOld(granted) : granted;
				if (usable != null) {
					return start(request, queue, usable);
				}
				if (request.nanosLeft() == 0) {
					return null;
				}
			}
			granted = ask(request, engine(request));
		}
		return null;
	}

	private LeaseMonitor monitor(EngineGrant granted) {
		return this.engines.monitor(granted.engine());
	}

	private HeldLock start(QueuedRequest request, @Nullable LocalLockQueue queue, EngineGrant granted) {
		HeldLock held;
		try {
			// They may have been closed during the request.
			requireOpen(request);
			held = new HeldLock(request.name(), queue, granted, request.options(), request.holdAtMost());
			// Never shown as waiting and as holding at the same time.
			this.waiting.remove(request.thread());
			monitor(granted).add(held);
		}
		catch (Throwable ex) {
			monitor(granted).releaseUnused(granted.grant());
			throw ex;
		}
		this.heldLocks.add(held);
		if (queue != null && held.engine().queuesWaiters()) {
			queue.admitToQueueOf(held.askedEngine());
		}
		held.grant().origin().whenEnded(() -> this.release.releaseWithTransaction(held));
		return held;
	}

}
