package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.logging.DurationText;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Watches engines by circuit breakers. An engine fails while its breaker is not closed.
 * In the background a probe lock is requested from each engine every few seconds, so that
 * failure and recovery of unused engines are noticed too.
 */
public final class CircuitBreakerHealth implements EngineHealth, AutoCloseable {

	/** In percent: most of the latest calls. */
	private static final int FAILURE_RATE = 50;

	/** A single failure or two is no reason to switch. */
	private static final int MINIMUM_CALLS = 5;

	/** The latest calls, of a minute and a half without traffic. */
	private static final int WINDOW = 20;

	private static final Log logger = LogFactory.getLog(CircuitBreakerHealth.class);

	/** How long a failing engine is not called. */
	private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

	private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

	/** An engine that hangs is neither failing nor working. */
	private static final Duration LATEST_RESPONSE = PROBE_INTERVAL.multipliedBy(3);

	private final Map<String, GuardedEngine> engines = new ConcurrentHashMap<>();

	private final CircuitBreakerConfig config;

	private final Duration recoveryTime;

	private final ScheduledThreadPoolExecutor probes;

	/**
	 * Creates an instance that watches nothing yet.
	 * @param recoveryTime how long an engine must not have failed to count as recovered
	 */
	public CircuitBreakerHealth(Duration recoveryTime) {
		this.recoveryTime = recoveryTime;
		this.config = CircuitBreakerConfig.custom()
			.failureRateThreshold(FAILURE_RATE)
			.slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
			.slidingWindowSize(WINDOW)
			.minimumNumberOfCalls(MINIMUM_CALLS)
			.permittedNumberOfCallsInHalfOpenState(1)
			.waitDurationInOpenState(RETRY_AFTER)
			// A slow response is not a failure.
			.slowCallDurationThreshold(Duration.ofDays(1))
			.build();
		// As many threads as engines, since one that does not respond blocks its probe.
		this.probes = new ScheduledThreadPoolExecutor(0, DaemonThreads.named("idempotent-lock-health"));
	}

	/** Watches engines, and probes them in the background, with a lock of this name. */
	public void watch(List<LockEngine> engines, String lock) {
		this.probes.setCorePoolSize(engines.size());
		for (LockEngine engine : engines) {
			GuardedEngine guarded = new GuardedEngine(engine,
					CircuitBreaker.of("idempotent-lock-" + engine.name(), this.config));
			this.engines.put(engine.name(), guarded);
			Future<?> unused = this.probes.scheduleWithFixedDelay(() -> probe(engine.name(), guarded, lock), 0,
					PROBE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private static void probe(String name, GuardedEngine engine, String lock) {
		try {
			engine.probe(lock, PROBE_INTERVAL);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The lock engine '" + name + "' fails", ex);
		}
	}

	/** Fails at once while the engine fails. */
	@Override
	public @Nullable LockGrant acquire(LockEngine engine, LockRequest request, Duration wait)
			throws InterruptedException {
		GuardedEngine guarded = this.engines.get(engine.name());
		return (guarded != null) ? guarded.acquire(request, wait) : engine.acquire(request, wait);
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
		return this.engines.entrySet()
			.stream()
			.filter((engine) -> condition.test(engine.getValue()))
			.map(Map.Entry::getKey)
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
