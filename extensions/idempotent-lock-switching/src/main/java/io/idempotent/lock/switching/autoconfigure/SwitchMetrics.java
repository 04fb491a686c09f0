package io.idempotent.lock.switching.autoconfigure;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.boot.metrics.LockMeterDocumentation;
import io.idempotent.boot.metrics.LockMeterDocumentation.SwitchKeyNames;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.switching.SwitchListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Counts switches. Counters exist from the start: the first switch is an increase. */
final class SwitchMetrics implements SwitchListener, MeterBinder {

	private final Supplier<DistributedLocks> locks;

	private final Map<Tags, LongAdder> switches = new ConcurrentHashMap<>();

	SwitchMetrics(Supplier<DistributedLocks> locks) {
		this.locks = locks;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String engine : this.locks.get().engines()) {
			for (Result result : Result.values()) {
				Tags tags = tags(result, engine);
				FunctionCounter.builder(LockMeterDocumentation.SWITCHES.getName(), count(tags), LongAdder::sum)
					.tags(tags)
					.register(registry);
			}
		}
	}

	private LongAdder count(Tags tags) {
		return this.switches.computeIfAbsent(tags, (key) -> new LongAdder());
	}

	private static Tags tags(Result result, String engine) {
		return Tags.of(SwitchKeyNames.ENGINE.asString(), engine, SwitchKeyNames.RESULT.asString(),
				result.name().toLowerCase(Locale.ROOT).replace('_', '-'));
	}

	@Override
	public void onSwitch(Result result, String target) {
		count(tags(result, target)).increment();
	}

}
