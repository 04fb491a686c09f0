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
 * Switches this node to the next engine in order when the circuit breaker of the one in
 * use opens, and not again before a dwell time is over. It never switches back by itself:
 * every switch is a moment in which nodes on different engines do not exclude each other.
 *
 * <p>
 * <b>Each node decides for itself.</b> A node that alone has lost its way to an engine
 * switches alone, and then holds locks beside the others.
 */
public final class AutomaticSwitch {

	private static final Log logger = LogFactory.getLog(AutomaticSwitch.class);

	/** How long a failing engine is left in peace. */
	private static final Duration REST = Duration.ofSeconds(5);

	private final Map<String, CircuitBreaker> breakers = new LinkedHashMap<>();

	private final CircuitBreakerConfig config;

	private final Duration dwellTime;

	private @Nullable DistributedLocks locks;

	private @Nullable Long switchedAt;

	/**
	 * Creates the switch.
	 * @param failureRate the share of failing calls, in percent, that opens a breaker
	 * @param minimumCalls how many calls are judged at least
	 * @param window how many of the latest calls are judged
	 * @param dwellTime how long an engine is used at least before the next switch
	 */
	public AutomaticSwitch(int failureRate, int minimumCalls, int window, Duration dwellTime) {
		this.dwellTime = dwellTime;
		this.config = CircuitBreakerConfig.custom()
			.failureRateThreshold(failureRate)
			.slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
			.slidingWindowSize(window)
			.minimumNumberOfCalls(minimumCalls)
			.permittedNumberOfCallsInHalfOpenState(1)
			.waitDurationInOpenState(REST)
			// A slow answer is an answer.
			.slowCallDurationThreshold(Duration.ofDays(1))
			.build();
	}

	/**
	 * Puts a circuit breaker before each engine.
	 * @param engines the engines, in order of preference
	 * @return the guarded engines, in the same order
	 */
	public List<LockEngine> guard(List<LockEngine> engines) {
		return engines.stream().map(this::guard).toList();
	}

	/**
	 * Begins to switch.
	 * @param locks the locks over the guarded engines
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
					+ " ago (idempotent.lock.switching.dwell-time): this node does not " + "switch again before");
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

	static LockUnavailableException resting(String engine, String name) {
		return new LockUnavailableException(
				"The lock engine '" + engine + "' was not asked for the lock '" + name
						+ "': its last calls failed too often, and it is tried again after " + DurationText.of(REST),
				null);
	}

}
