package io.idempotent.lock.switching.autoconfigure;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.lock.switching.EngineSwitching;
import io.idempotent.lock.switching.SwitchListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The epoch, whether the nodes switch, and how often they have. Counters exist from the
 * start, so that the first switch is an increase.
 */
final class SwitchMetrics implements SwitchListener, MeterBinder {

	private final Supplier<EngineSwitching> switching;

	private final Map<Tags, LongAdder> switches = new ConcurrentHashMap<>();

	SwitchMetrics(Supplier<EngineSwitching> switching) {
		this.switching = switching;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		EngineSwitching switching = this.switching.get();
		Gauge.builder("idempotent.lock.epoch", switching, (all) -> all.status().epoch()).register(registry);
		Gauge.builder("idempotent.lock.switching", switching, (all) -> all.status().isSwitching() ? 1 : 0)
			.register(registry);
		for (String engine : switching.engines()) {
			for (Result result : Result.values()) {
				Tags tags = tags(result, engine);
				FunctionCounter.builder("idempotent.lock.switches", count(tags), LongAdder::sum)
					.tags(tags)
					.register(registry);
			}
		}
	}

	private LongAdder count(Tags tags) {
		return this.switches.computeIfAbsent(tags, (key) -> new LongAdder());
	}

	private static Tags tags(Result result, String engine) {
		return Tags.of("engine", engine, "result", result.name().toLowerCase(Locale.ROOT).replace('_', '-'));
	}

	@Override
	public void onSwitch(Result result, String target) {
		count(tags(result, target)).increment();
	}

}
