package io.idempotent.lock.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Acquires new locks: a thread waits in the queue of this JVM, then asks the engine. Each
 * acquisition is observed.
 */
final class LockAcquisition {

	private static final Log logger = LogFactory.getLog(LockObserver.class);

	private final EngineSelection engines;

	/** Of all locks that threads of this JVM hold or wait for. */
	private final ConcurrentMap<String, LocalLockQueue> queues = new ConcurrentHashMap<>();

	private volatile boolean closed;

	private final LockListeners listeners;

	private final LockObserver observer;

	private final Supplier<List<LockGrant>> validGrants;

	private final Consumer<HeldLock> acquired;

	private final Map<Thread, QueuedRequest> waiting = new ConcurrentHashMap<>();

	/**
	 * The grants are those of the calling thread; {@code acquired} is called before any
	 * listener.
	 */
	LockAcquisition(EngineSelection engines, LockListeners listeners, LockObserver observer,
			Supplier<List<LockGrant>> validGrants, Consumer<HeldLock> acquired) {
		this.engines = engines;
		this.listeners = listeners;
		this.observer = observer;
		this.validGrants = validGrants;
		this.acquired = acquired;
	}

	Collection<QueuedRequest> waiting() {
		return this.waiting.values();
	}

	/** How many locks the threads of this JVM hold or wait for. */
	int namesInUse() {
		return this.queues.size();
	}

	/** Refuses requests from now on, also those of the threads that wait in a queue. */
	void close() {
		this.closed = true;
		this.queues.values().forEach(LocalLockQueue::admitAll);
	}

	/** Returns false if the lock was not free in time. */
	boolean acquire(QueuedRequest request) throws InterruptedException {
		LockObserver.Acquisition observed = this.observer.start(request.name(), request.mode(), engine(request).name());
		this.waiting.put(request.thread(), request);
		HeldLock held;
		try {
			held = queueAndAsk(request);
		}
		catch (Throwable ex) {
			failed(request, observed, ex);
			throw ex;
		}
		finally {
			this.waiting.remove(request.thread());
		}
		if (held == null) {
			publish(LockEvent.Type.NOT_OBTAINED, request, engine(request), 0);
			end(observed, AcquisitionOutcome.NOT_OBTAINED, engine(request).name(), null);
			return false;
		}
		publish(LockEvent.Type.OBTAINED, request, held.engine(), held.token());
		end(observed, AcquisitionOutcome.OBTAINED, held.engine().name(), null);
		return true;
	}

	private void failed(QueuedRequest request, LockObserver.Acquisition observed, Throwable failure) {
		LockEngine engine = engine(request);
		if (failure instanceof LockUnavailableException) {
			publish(LockEvent.Type.UNAVAILABLE, request, engine, 0);
			end(observed, AcquisitionOutcome.UNAVAILABLE, engine.name(), failure);
		}
		else if (failure instanceof InterruptedException) {
			end(observed, AcquisitionOutcome.INTERRUPTED, engine.name(), null);
		}
		else {
			end(observed, AcquisitionOutcome.ERROR, engine.name(), failure);
		}
	}

	/** A lock that was obtained must reach its caller. */
	private static void end(LockObserver.Acquisition observed, AcquisitionOutcome outcome, String engine,
			@Nullable Throwable failure) {
		try {
			observed.end(outcome, engine, failure);
		}
		catch (Throwable ex) {
			logger.warn("An observer of locks failed on " + outcome, ex);
		}
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
		LocalLockQueue queue = LocalLockQueue.enter(this.queues, request);
		if (this.closed) {
			queue.admitAll();
		}
		if (!queue.awaitAdmission(request)) {
			return null;
		}
		HeldLock held = null;
		try {
			held = hold(request, shared ? null : queue, grantOfTurn(request));
			return held;
		}
		finally {
			if (shared || held == null) {
				queue.leave(false);
			}
		}
	}

	private @Nullable HeldLease grantOfTurn(QueuedRequest request) throws InterruptedException {
		HeldLease handedOff = request.handedOff();
		if (handedOff != null) {
			return handedOff;
		}
		LockEngine queueing = request.queueingEngine();
		return ask(request, (queueing != null) ? queueing : engine(request));
	}

	private LockEngine engine(QueuedRequest request) {
		return this.engines.engine(request.options());
	}

	private @Nullable HeldLease ask(QueuedRequest request, LockEngine engine) throws InterruptedException {
		requireOpen(request);
		engine.requireSupport(request.mode());
		long requestedAt = System.nanoTime();
		LockGrant grant = engine.acquire(request.toEngine(), Duration.ofNanos(request.nanosLeft()), this.validGrants);
		return (grant != null) ? new HeldLease(engine, grant, request.holdAtMost(), requestedAt) : null;
	}

	private void requireOpen(QueuedRequest request) {
		if (this.closed) {
			throw new LocksClosedException(request.name());
		}
	}

	/** Holds what was granted, or asks again until there is a grant to hold. */
	private @Nullable HeldLock hold(QueuedRequest request, @Nullable LocalLockQueue queue, @Nullable HeldLease first)
			throws InterruptedException {
		HeldLease granted = first;
		while (granted != null) {
			if (granted.askedEngine() != engine(request) || !granted.grant().isValid()) {
				// Of another engine that the holder in this JVM uses, or ended meanwhile.
				monitor(granted).release(granted.grant());
			}
			else {
				HeldLease usable = granted.isThirdOver(System.nanoTime())
						? monitor(granted).renewBeforeUse(granted, request.holdAtMost()) : granted;
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

	private LeaseMonitor monitor(HeldLease granted) {
		return this.engines.monitor(granted.engine());
	}

	private HeldLock start(QueuedRequest request, @Nullable LocalLockQueue queue, HeldLease granted) {
		HeldLock held;
		try {
			// They may have been closed during the request.
			requireOpen(request);
			held = new HeldLock(request.name(), queue, granted, request.options());
			// Never shown as waiting and as holding at the same time.
			this.waiting.remove(request.thread());
			monitor(granted).add(held);
		}
		catch (Throwable ex) {
			monitor(granted).release(granted.grant());
			throw ex;
		}
		this.acquired.accept(held);
		if (queue != null && held.engine().queuesWaiters()) {
			queue.admitToQueueOf(held.lease().askedEngine());
		}
		return held;
	}

}
