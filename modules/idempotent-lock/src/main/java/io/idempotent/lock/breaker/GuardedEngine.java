package io.idempotent.lock.breaker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.ConnectionObserver;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * An engine with a circuit breaker. The breaker observes one attempt without waiting.
 * Waiting for a holder, which may take any time, tells nothing about the engine, and
 * starts only after that attempt has succeeded.
 *
 * @param engine the engine
 * @param breaker its circuit breaker
 */
record GuardedEngine(LockEngine engine, CircuitBreaker breaker) implements LockEngine {

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
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		LockGrant grant = ask(request);
		Duration left = wait.minusNanos(System.nanoTime() - start);
		return (grant != null || wait.isZero() || left.isNegative()) ? grant : await(request, left);
	}

	private @Nullable LockGrant ask(LockRequest request) throws InterruptedException {
		if (!this.breaker.tryAcquirePermission()) {
			throw AutomaticSwitch.notAsked(name(), request.name());
		}
		boolean recorded = false;
		try {
			LockGrant grant = this.engine.acquire(request, Duration.ZERO);
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
			recorded = true;
			return grant;
		}
		catch (LockUnavailableException ex) {
			recorded = true;
			this.breaker.onError(0, TimeUnit.NANOSECONDS, ex);
			throw ex;
		}
		finally {
			if (!recorded) {
				this.breaker.releasePermission();
			}
		}
	}

	private @Nullable LockGrant await(LockRequest request, Duration wait) throws InterruptedException {
		try {
			return this.engine.acquire(request, wait);
		}
		catch (LockUnavailableException ex) {
			this.breaker.onError(0, TimeUnit.NANOSECONDS, ex);
			throw ex;
		}
	}

	@Override
	public void observe(ConnectionObserver observer) {
		this.engine.observe(observer);
	}

	@Override
	public void close() {
		this.engine.close();
	}

}
