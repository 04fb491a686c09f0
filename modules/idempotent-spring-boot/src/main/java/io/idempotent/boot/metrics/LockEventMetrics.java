package io.idempotent.boot.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.idempotent.boot.metrics.LockMeterDocumentation.EngineKeyNames;
import io.idempotent.boot.metrics.LockMeterDocumentation.SwitchKeyNames;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.switching.SwitchListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Counts losses of locks, and switches of engines. The counters exist from the start, so
 * that the first event is an increase from zero.
 */
final class LockEventMetrics implements LockListener, SwitchListener, MeterBinder {

	private final Supplier<DistributedLocks> locks;

	private final Map<String, LongAdder> losses = new ConcurrentHashMap<>();

	private final Map<Result, Map<String, LongAdder>> switches = new EnumMap<>(Result.class);

	LockEventMetrics(Supplier<DistributedLocks> locks) {
		this.locks = locks;
		for (Result result : Result.values()) {
			this.switches.put(result, new ConcurrentHashMap<>());
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String engine : this.locks.get().engines()) {
			FunctionCounter.builder(LockMeterDocumentation.LOSSES.getName(), count(this.losses, engine), LongAdder::sum)
				.tag(EngineKeyNames.ENGINE.asString(), engine)
				.register(registry);
			this.switches.forEach((result, byEngine) -> FunctionCounter
				.builder(LockMeterDocumentation.SWITCHES.getName(), count(byEngine, engine), LongAdder::sum)
				.tag(SwitchKeyNames.ENGINE.asString(), engine)
				.tag(SwitchKeyNames.RESULT.asString(), TagName.value(result))
				.register(registry));
		}
	}

	private static LongAdder count(Map<String, LongAdder> counts, String engine) {
		return counts.computeIfAbsent(engine, (name) -> new LongAdder());
	}

	@Override
	public void onEvent(LockEvent event) {
		if (event.type() == LockEvent.Type.LOST) {
			count(this.losses, event.engine()).increment();
		}
	}

	@Override
	public void onSwitch(Result result, String target) {
		Map<String, LongAdder> byEngine = this.switches.get(result);
		if (byEngine != null) {
			count(byEngine, target).increment();
		}
	}

}
