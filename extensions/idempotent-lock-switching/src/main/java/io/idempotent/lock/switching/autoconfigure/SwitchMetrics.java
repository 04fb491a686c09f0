package io.idempotent.lock.switching.autoconfigure;

import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.idempotent.lock.switching.EngineSwitching;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The epoch, whether the nodes switch, and how often they have. Counters exist from the
 * start, so that the first switch is an increase.
 */
record SwitchMetrics(Supplier<EngineSwitching> source) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		EngineSwitching switching = this.source.get();
		Gauge.builder("idempotent.lock.epoch", switching, (all) -> all.status().epoch()).register(registry);
		Gauge.builder("idempotent.lock.switching", switching, (all) -> all.status().isSwitching() ? 1 : 0)
			.register(registry);
		for (String engine : switching.engines()) {
			count(registry, switching, engine, "completed", (all) -> all.completed(engine));
			count(registry, switching, engine, "called-off", (all) -> all.calledOff(engine));
		}
	}

	private static void count(MeterRegistry registry, EngineSwitching switching, String engine, String result,
			ToDoubleFunction<EngineSwitching> count) {
		FunctionCounter.builder("idempotent.lock.switches", switching, count)
			.tags("engine", engine, "result", result)
			.register(registry);
	}

}
