package io.idempotent.lock.breaker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.logging.DurationText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Switches this node to the next engine in the configured order when the circuit breaker
 * of the engine in use opens, but not again before a dwell time has passed. It never
 * switches back by itself: during every switch there are nodes on different engines,
 * which do not exclude each other.
 *
 * <p>
 * <b>Each node decides for itself.</b> If one node alone cannot reach an engine, it
 * switches alone, and its locks do not exclude those of the other nodes.
 */
public final class AutomaticSwitch {

	private static final Log logger = LogFactory.getLog(AutomaticSwitch.class);

	/** How long a failing engine is not asked. */
	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	private final Map<String, CircuitBreaker> breakers = new LinkedHashMap<>();

	private final CircuitBreakerConfig config;

	private final Duration dwellTime;

	private @Nullable DistributedLocks locks;

	private @Nullable Long switchedAt;

	/**
	 * Creates the switch.
	 * @param failureRate the share of failing calls, in percent, that opens a breaker
	 * @param minimumCalls the minimum number of calls before the rate is computed
	 * @param window the number of latest calls from which the rate is computed
	 * @param dwellTime the minimum time between two switches
	 */
	public AutomaticSwitch(int failureRate, int minimumCalls, int window, Duration dwellTime) {
		this.dwellTime = dwellTime;
		this.config = CircuitBreakerConfig.custom()
			.failureRateThreshold(failureRate)
			.slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
			.slidingWindowSize(window)
			.minimumNumberOfCalls(minimumCalls)
			.permittedNumberOfCallsInHalfOpenState(1)
			.waitDurationInOpenState(RETRY_AFTER)
			// A slow response is not a failure.
			.slowCallDurationThreshold(Duration.ofDays(1))
			.build();
	}

	/**
	 * Wraps each engine with a circuit breaker.
	 * @param engines the engines, in order of preference
	 * @return the wrapped engines, in the same order
	 */
	public List<LockEngine> guard(List<LockEngine> engines) {
		return engines.stream().map(this::guard).toList();
	}

	/**
	 * Starts switching.
	 * @param locks the locks on the wrapped engines
	 */
	public synchronized void drive(DistributedLocks locks) {
		this.locks = locks;
	}

	private LockEngine guard(LockEngine engine) {
		CircuitBreaker breaker = CircuitBreaker.of("idempotent-lock-" + engine.name(), this.config);
		breaker.getEventPublisher().onStateTransition((event) -> {
			if (event.getStateTransition().getToState() == State.OPEN) {
				leave(engine.name());
			}
		});
		this.breakers.put(engine.name(), breaker);
		return new GuardedEngine(engine, breaker);
	}

	private synchronized void leave(String failing) {
		if (this.locks == null || !this.locks.currentEngine().equals(failing)) {
			return;
		}
		String next = next(failing);
		if (next == null) {
			logger.error("The lock engine '" + failing
					+ "' fails, and there is no other engine that works: locks are unavailable until one does");
		}
		else if (isDwelling()) {
			logger.error("The lock engine '" + failing + "' fails, but was switched to less than "
					+ DurationText.of(this.dwellTime)
					+ " ago (idempotent.lock.switching.dwell-time): this node does not switch again before");
		}
		else {
			this.switchedAt = System.nanoTime();
			this.locks.switchEngine(next);
		}
	}

	private boolean isDwelling() {
		return this.switchedAt != null && System.nanoTime() - this.switchedAt < this.dwellTime.toNanos();
	}

	private @Nullable String next(String failing) {
		List<String> names = List.copyOf(this.breakers.keySet());
		int index = names.indexOf(failing);
		for (int i = 1; i < names.size(); i++) {
			String candidate = names.get((index + i) % names.size());
			if (isUsable(candidate)) {
				return candidate;
			}
		}
		return null;
	}

	private boolean isUsable(String engine) {
		CircuitBreaker breaker = this.breakers.get(engine);
		return breaker != null && breaker.getState() != State.OPEN;
	}

	static LockUnavailableException notAsked(String engine, String name) {
		return new LockUnavailableException("The lock engine '" + engine + "' was not asked for the lock '" + name
				+ "': its last calls failed too often, and it is tried again after " + DurationText.of(RETRY_AFTER),
				null);
	}

}
