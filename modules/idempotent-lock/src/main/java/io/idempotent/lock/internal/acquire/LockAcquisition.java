package io.idempotent.lock.internal.acquire;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.SwitchableEngine;
import io.idempotent.lock.internal.hold.EngineSelection;
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.HeldLocks;
import io.idempotent.lock.internal.hold.LockListeners;
import io.idempotent.lock.internal.hold.RenewalThread;
import io.idempotent.lock.internal.queue.AcquireRequest;
import io.idempotent.lock.internal.queue.Deadline;
import io.idempotent.lock.internal.queue.EngineGrant;
import io.idempotent.lock.internal.queue.LocalLockQueue;
import io.idempotent.lock.internal.queue.LocalLockQueues;
import io.idempotent.lock.internal.queue.QueuedThread;
import io.idempotent.lock.internal.queue.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks that their threads do not hold: a thread waits in the queue of this JVM,
 * and then asks the engine.
 */
final class LockAcquisition {

	private final HeldLocks heldLocks;

	private final EngineSelection engines;

	private final LocalLockQueues queues;

	private final LockListeners listeners;

	private final LockRelease release;

	private final Map<Thread, QueuedThread> waiting = new ConcurrentHashMap<>();

	LockAcquisition(HeldLocks heldLocks, EngineSelection engines, LocalLockQueues queues, LockListeners listeners,
			LockRelease release) {
		this.heldLocks = heldLocks;
		this.engines = engines;
		this.queues = queues;
		this.listeners = listeners;
		this.release = release;
	}

	/**
	 * The threads that wait, in a queue of this JVM or for the engine.
	 */
	Collection<QueuedThread> waiting() {
		return this.waiting.values();
	}

	/**
	 * Acquires a lock, and publishes the result.
	 * @param request what the thread wants
	 * @param deadline how long to wait
	 * @return the lock, or {@code null} if it was not free in time
	 * @throws InterruptedException if the thread is interrupted while it waits, and the
	 * request or the engine does not ignore that
	 */
	@Nullable HeldLock acquire(AcquireRequest request, Deadline deadline) throws InterruptedException {
		QueuedThread waiter = new QueuedThread(request);
		this.waiting.put(waiter.thread(), waiter);
		HeldLock held;
		try {
			held = (request.mode() == LockMode.READ) ? acquireShared(waiter, deadline)
					: acquireExclusive(waiter, deadline);
		}
		catch (LockUnavailableException ex) {
			publish(LockEvent.Type.UNAVAILABLE, waiter);
			throw ex;
		}
		finally {
			this.waiting.remove(waiter.thread());
		}
		if (held == null) {
			publish(LockEvent.Type.NOT_OBTAINED, waiter);
			return null;
		}
		this.listeners.publish(LockEvent.Type.OBTAINED, request.name(), held.engine().name(), waiter.nanosWaited(),
				held.token());
		return held;
	}

	private void publish(LockEvent.Type type, QueuedThread waiter) {
		AcquireRequest request = waiter.request();
		this.listeners.publish(type, request.name(), this.engines.engine(request.options()).name(),
				waiter.nanosWaited(), 0);
	}

	/**
	 * One reader at a time waits at the engine, but any number may hold the lock. An
	 * attempt without waiting need not queue.
	 */
	private @Nullable HeldLock acquireShared(QueuedThread waiter, Deadline deadline) throws InterruptedException {
		AcquireRequest request = waiter.request();
		if (deadline == Deadline.NOW) {
			return hold(waiter, null, ask(request, deadline), deadline);
		}
		LocalLockQueue queue = this.queues.join(request.queueName());
		Turn turn = null;
		try {
			turn = queue.enter(waiter, deadline);
			return (turn != null) ? hold(waiter, null, granted(request, turn, deadline), deadline) : null;
		}
		finally {
			leaveQueue(request.queueName(), queue, turn);
		}
	}

	private @Nullable HeldLock acquireExclusive(QueuedThread waiter, Deadline deadline) throws InterruptedException {
		AcquireRequest request = waiter.request();
		LocalLockQueue queue = this.queues.join(request.queueName());
		HeldLock held = null;
		Turn turn = null;
		try {
			turn = queue.enter(waiter, deadline);
			held = (turn != null) ? hold(waiter, queue, granted(request, turn, deadline), deadline) : null;
			return held;
		}
		finally {
			if (held == null) {
				leaveQueue(request.queueName(), queue, turn);
			}
		}
	}

	private void leaveQueue(String name, LocalLockQueue queue, @Nullable Turn turn) {
		if (turn != null) {
			this.queues.leave(name, queue, false);
		}
		else {
			this.queues.leave(name);
		}
	}

	private @Nullable EngineGrant granted(AcquireRequest request, Turn turn, Deadline deadline)
			throws InterruptedException {
		if (turn instanceof Turn.HandedOver handedOver) {
			return handedOver.granted();
		}
		if (turn instanceof Turn.Ask ask) {
			return ask(request, (ask.first() != null) ? ask.first() : this.engines.engine(request.options()), deadline);
		}
		throw closed(request.name());
	}

	private @Nullable EngineGrant ask(AcquireRequest request, Deadline deadline) throws InterruptedException {
		return ask(request, this.engines.engine(request.options()), deadline);
	}

	private @Nullable EngineGrant ask(AcquireRequest request, LockEngine engine, Deadline deadline)
			throws InterruptedException {
		if (this.queues.isClosed()) {
			throw closed(request.name());
		}
		engine.requireSupport(request.mode());
		long requestedAt = System.nanoTime();
		LockGrant grant = (engine instanceof SwitchableEngine switchable)
				? switchable.acquire(request.toEngine(), deadline.left(), this.heldLocks.grants())
				: engine.acquire(request.toEngine(), deadline.left());
		return (grant != null) ? EngineGrant.of(engine, grant, requestedAt) : null;
	}

	private static LockUnavailableException closed(String name) {
		return new LockUnavailableException("The lock '" + name
				+ "' cannot be taken any more: the locks of this application are closed, since it is shutting down",
				null);
	}

	/**
	 * Holds what was granted, or asks again until there is something that can be held.
	 */
	private @Nullable HeldLock hold(QueuedThread waiter, @Nullable LocalLockQueue queue, @Nullable EngineGrant first,
			Deadline deadline) throws InterruptedException {
		AcquireRequest request = waiter.request();
		EngineGrant granted = first;
		while (granted != null) {
			if (!isWanted(request, granted)) {
				releaseUnused(granted);
				granted = ask(request, deadline);
			}
			else if (!granted.mayBeOld()) {
				return start(request, queue, granted);
			}
			else {
				long renewedAt = System.nanoTime();
				if (renewAtOnce(granted) == GrantState.HELD) {
					return start(request, queue, granted.renewedAt(renewedAt));
				}
				granted = (deadline.nanosLeft() > 0) ? ask(request, deadline) : null;
			}
		}
		return null;
	}

	/**
	 * Whether a grant is of the engine that was asked for, and not of another one that
	 * the holder in this JVM uses, and has not ended meanwhile.
	 */
	private boolean isWanted(AcquireRequest request, EngineGrant granted) {
		return granted.asked() == this.engines.engine(request.options()) && granted.grant().isValid();
	}

	private GrantState renewAtOnce(EngineGrant granted) {
		LockGrant grant = granted.grant();
		try {
			GrantState state = RenewalThread.run(() -> grant.renew(Objects.requireNonNull(grant.lease())));
			if (state == GrantState.LOST) {
				grant.abandoned();
			}
			return state;
		}
		catch (RuntimeException | Error ex) {
			this.engines.monitor(granted.engine()).releaseLater(grant, Duration.ZERO);
			throw ex;
		}
	}

	private void releaseUnused(EngineGrant granted) {
		this.engines.monitor(granted.engine()).releaseUnused(granted.grant());
	}

	private HeldLock start(AcquireRequest request, @Nullable LocalLockQueue queue, EngineGrant granted) {
		HeldLock held;
		try {
			held = monitored(request, queue, granted);
		}
		catch (Throwable ex) {
			releaseUnused(granted);
			throw ex;
		}
		this.heldLocks.add(held);
		if (queue != null && held.engine().queuesWaiters()) {
			queue.admitToQueueOf(held.askedEngine());
		}
		held.grant().whenEnded(() -> this.release.endedByItself(held));
		return held;
	}

	private HeldLock monitored(AcquireRequest request, @Nullable LocalLockQueue queue, EngineGrant granted) {
		if (this.queues.isClosed()) {
			// They were closed during the request.
			throw closed(request.name());
		}
		HeldLock held = new HeldLock(request.name(), queue, granted, request.options(), request.holdAtMost());
		this.waiting.remove(Thread.currentThread());
		this.engines.monitor(granted.engine()).add(held);
		return held;
	}

}
