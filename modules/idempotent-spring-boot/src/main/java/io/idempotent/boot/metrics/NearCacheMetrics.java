package io.idempotent.boot.metrics;

import java.util.function.ToDoubleFunction;

import io.idempotent.boot.metrics.IdempotencyMeterDocumentation.NearCacheKeyNames;
import io.idempotent.store.cache.CaffeineOutcomeCache;
import io.idempotent.store.cache.CaffeineOutcomeCache.Statistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the near cache. They are not Micrometer's {@code cache.*}: Spring Boot gives
 * those of other caches more tags, and a Prometheus registry accepts one set of tags for
 * each name.
 */
final class NearCacheMetrics implements MeterBinder {

	private final CaffeineOutcomeCache cache;

	NearCacheMetrics(CaffeineOutcomeCache cache) {
		this.cache = cache;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, IdempotencyMeterDocumentation.NEAR_CACHE_ENTRIES, Statistics::entries);
		gauge(registry, IdempotencyMeterDocumentation.NEAR_CACHE_BYTES, Statistics::bytes);
		counter(IdempotencyMeterDocumentation.NEAR_CACHE_GETS, Statistics::hits)
			.tag(NearCacheKeyNames.RESULT.asString(), "hit")
			.register(registry);
		counter(IdempotencyMeterDocumentation.NEAR_CACHE_GETS, Statistics::misses)
			.tag(NearCacheKeyNames.RESULT.asString(), "miss")
			.register(registry);
		counter(IdempotencyMeterDocumentation.NEAR_CACHE_EVICTIONS, Statistics::evictions).register(registry);
	}

	private void gauge(MeterRegistry registry, IdempotencyMeterDocumentation meter,
			ToDoubleFunction<Statistics> value) {
		Gauge.builder(meter.getName(), this.cache, (used) -> value.applyAsDouble(used.statistics()))
			.baseUnit(meter.getBaseUnit())
			.register(registry);
	}

	private FunctionCounter.Builder<CaffeineOutcomeCache> counter(IdempotencyMeterDocumentation meter,
			ToDoubleFunction<Statistics> value) {
		return FunctionCounter.builder(meter.getName(), this.cache, (used) -> value.applyAsDouble(used.statistics()));
	}

}
