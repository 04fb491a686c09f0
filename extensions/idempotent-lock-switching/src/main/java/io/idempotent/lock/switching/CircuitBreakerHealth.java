package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Watches engines by circuit breakers. An engine fails while its breaker is not closed.
 * In the background a probe lock is requested from each engine every few seconds, so that
 * failure and recovery of unused engines are noticed too.
 */
public final class CircuitBreakerHealth implements EngineHealth, AutoCloseable {

	private static final Log logger = LogFactory.getLog(CircuitBreakerHealth.class);

	/** How long a failing engine is not called. */
	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

	/** An engine that hangs is neither failing nor working. */
	private static final Duration LATEST_RESPONSE = PROBE_INTERVAL.multipliedBy(3);

	private final Map<String, GuardedEngine> engines = new LinkedHashMap<>();

	private final CircuitBreakerConfig config;

	private final Duration recoveryTime;

	private final ScheduledThreadPoolExecutor probes;

	/**
	 * Creates an instance that watches nothing yet.
	 * @param failureRate the share of failing calls, in percent, that opens a breaker
	 * @param minimumCalls the minimum number of calls before the rate is computed
	 * @param window the number of latest calls from which the rate is computed
	 * @param recoveryTime how long an engine must not have failed to count as recovered
	 */
	public CircuitBreakerHealth(int failureRate, int minimumCalls, int window, Duration recoveryTime) {
		this.recoveryTime = recoveryTime;
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
		// As many threads as engines, since one that does not respond blocks its probe.
		this.probes = new ScheduledThreadPoolExecutor(0, DaemonThreads.named("idempotent-lock-health"));
	}

	/** Wraps an engine with a circuit breaker. */
	public LockEngine watch(LockEngine engine) {
		GuardedEngine guarded = new GuardedEngine(engine,
				CircuitBreaker.of("idempotent-lock-" + engine.name(), this.config));
		this.engines.put(engine.name(), guarded);
		return guarded;
	}

	/** Probes the engines in the background, with a lock of this name. */
	public void start(String lock) {
		this.probes.setCorePoolSize(this.engines.size());
		for (GuardedEngine engine : this.engines.values()) {
			Future<?> unused = this.probes.scheduleWithFixedDelay(() -> probe(engine, lock), 0,
					PROBE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void probe(GuardedEngine engine, String lock) {
		try {
			engine.probe(lock, PROBE_INTERVAL);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The lock engine '" + engine.name() + "' fails", ex);
		}
	}

	@Override
	public Set<String> failing() {
		return names(GuardedEngine::isFailing);
	}

	@Override
	public Set<String> recovered() {
		return names((engine) -> engine.hasWorkedFor(this.recoveryTime, LATEST_RESPONSE));
	}

	private Set<String> names(Predicate<GuardedEngine> condition) {
		return this.engines.values()
			.stream()
			.filter(condition)
			.map(GuardedEngine::name)
			.collect(Collectors.toUnmodifiableSet());
	}

	@Override
	public void close() {
		this.probes.shutdownNow();
	}

	static LockUnavailableException notAsked(String engine, String name) {
		return new LockUnavailableException("The lock engine '" + engine + "' was not asked for the lock '" + name
				+ "': its last calls failed too often, and it is tried again after " + DurationText.of(RETRY_AFTER),
				null);
	}

}
