package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * An engine with a circuit breaker. The breaker observes one attempt without waiting.
 * Waiting for a holder may take any time and says nothing about the engine; it starts
 * only after that attempt has succeeded.
 */
final class GuardedEngine {

	private static final long NEVER = -1;

	private final LockEngine engine;

	private final CircuitBreaker breaker;

	private final long createdAt = System.nanoTime();

	/** When the engine started to work, in nanoseconds since this was created. */
	private final AtomicLong worksSince = new AtomicLong(NEVER);

	/** When the engine has responded last, in nanoseconds since this was created. */
	private volatile long respondedAt;

	GuardedEngine(LockEngine engine, CircuitBreaker breaker) {
		this.engine = engine;
		this.breaker = breaker;
	}

	@Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		LockGrant grant = ask(request);
		Duration left = wait.minusNanos(System.nanoTime() - start);
		return (grant != null || wait.isZero() || left.isNegative()) ? grant : await(request, left);
	}

	/** Requests and releases a lock. That another node holds it is no failure. */
	void probe(String lock, Duration lease) throws InterruptedException {
		LockGrant grant = ask(new LockRequest(lock, lease, false));
		if (grant != null) {
			grant.release(Duration.ZERO);
		}
	}

	boolean isFailing() {
		return this.breaker.getState() != State.CLOSED;
	}

	/** Whether it has not failed for {@code time} and responded within {@code latest}. */
	boolean hasWorkedFor(Duration time, Duration latest) {
		long since = this.worksSince.get();
		long now = now();
		return !isFailing() && since != NEVER && now - since >= time.toNanos()
				&& now - this.respondedAt < latest.toNanos();
	}

	private long now() {
		return System.nanoTime() - this.createdAt;
	}

	private @Nullable LockGrant ask(LockRequest request) throws InterruptedException {
		if (!this.breaker.tryAcquirePermission()) {
			throw CircuitBreakerHealth.notAsked(this.engine.name(), request.name());
		}
		boolean recorded = false;
		try {
			LockGrant grant = this.engine.acquire(request, Duration.ZERO);
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
			recorded = true;
			this.respondedAt = now();
			this.worksSince.compareAndSet(NEVER, this.respondedAt);
			return grant;
		}
		catch (LockUnavailableException ex) {
			recorded = true;
			failed(ex);
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
			failed(ex);
			throw ex;
		}
	}

	private void failed(LockUnavailableException ex) {
		this.worksSince.set(NEVER);
		this.breaker.onError(0, TimeUnit.NANOSECONDS, ex);
	}

}
