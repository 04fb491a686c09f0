package io.idempotent.boot.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.boot.metrics.LockMeterDocumentation.EngineKeyNames;
import io.idempotent.boot.metrics.LockMeterDocumentation.HoldKeyNames;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Times how long locks are held, by their group, and counts losses. The counters exist
 * from the start, so that the first loss is an increase from zero.
 */
final class LockEventMetrics implements LockListener, MeterBinder {

	private final Supplier<DistributedLocks> locks;

	private final MeterProvider<Timer> holds;

	private final Map<String, LongAdder> losses = new ConcurrentHashMap<>();

	LockEventMetrics(Supplier<DistributedLocks> locks, MeterRegistry registry) {
		this.locks = locks;
		this.holds = Timer.builder(LockMeterDocumentation.HOLD.getName())
			.description("How long locks were held")
			.withRegistry(registry);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String engine : this.locks.get().engines()) {
			FunctionCounter.builder(LockMeterDocumentation.LOSSES.getName(), losses(engine), LongAdder::sum)
				.tag(EngineKeyNames.ENGINE.asString(), engine)
				.register(registry);
		}
	}

	private LongAdder losses(String engine) {
		return this.losses.computeIfAbsent(engine, (name) -> new LongAdder());
	}

	@Override
	public void onEvent(LockEvent event) {
		switch (event.type()) {
			case RELEASED -> recordHold(event, "released");
			case LOST -> {
				losses(event.engine()).increment();
				recordHold(event, "lost");
			}
			default -> {
				// Not the end of a hold, or observed as an acquisition.
			}
		}
	}

	private void recordHold(LockEvent event, String end) {
		this.holds.withTags(Tags.of(HoldKeyNames.END.asString(), end, HoldKeyNames.ENGINE.asString(), event.engine(),
				HoldKeyNames.GROUP.asString(), event.group()))
			.record(event.time());
	}

}
