package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often an engine is asked for a lock.
 *
 * @param engine the engine
 * @param acquires how often it was asked
 */
record CountedEngine(LockEngine engine, AtomicInteger acquires) implements LockEngine {

	CountedEngine(LockEngine engine) {
		this(engine, new AtomicInteger());
	}

	@Override
	public String name() {
		return this.engine.name();
	}

	@Override
	public boolean supports(LockMode mode) {
		return this.engine.supports(mode);
	}

	@Override
	public boolean queuesWaiters() {
		return this.engine.queuesWaiters();
	}

	@Override
	public void observe(ConnectionObserver observer) {
		this.engine.observe(observer);
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		this.acquires.incrementAndGet();
		return this.engine.acquire(request, wait);
	}

}
