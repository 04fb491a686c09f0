package io.idempotent.boot.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.idempotent.boot.metrics.LockMeterDocumentation.EngineKeyNames;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.administration.HeldLockInfo;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.WaitingThread;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/** Gauges of this node's locks and the engine in force, without remote calls. */
final class LockMetrics implements MeterBinder {

	private final DistributedLocks locks;

	private final @Nullable LockAdministration administration;

	LockMetrics(DistributedLocks locks, @Nullable LockAdministration administration) {
		this.locks = locks;
		this.administration = administration;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, LockMeterDocumentation.EPOCH, (current) -> current.engineStatus().epoch());
		gauge(registry, LockMeterDocumentation.SWITCHING, (current) -> current.engineStatus().isSwitching() ? 1 : 0);
		for (String engine : this.locks.engines()) {
			byEngine(LockMeterDocumentation.IN_FORCE, engine, this.locks,
					(current) -> current.currentEngine().equals(engine) ? 1 : 0)
				.register(registry);
			if (this.administration != null) {
				bindLocal(registry, this.administration, engine);
			}
		}
	}

	private static void bindLocal(MeterRegistry registry, LockAdministration administration, String engine) {
		byEngine(LockMeterDocumentation.HELD, engine, administration,
				(current) -> count(current.held(), HeldLockInfo::engine, engine))
			.register(registry);
		byEngine(LockMeterDocumentation.WAITING, engine, administration,
				(current) -> count(current.waiting(), WaitingThread::engine, engine))
			.register(registry);
		byEngine(LockMeterDocumentation.OLDEST, engine, administration, (current) -> oldest(current, engine))
			.register(registry);
	}

	private void gauge(MeterRegistry registry, LockMeterDocumentation meter, ToDoubleFunction<DistributedLocks> value) {
		Gauge.builder(meter.getName(), this.locks, value).register(registry);
	}

	private static <T> Gauge.Builder<T> byEngine(LockMeterDocumentation meter, String engine, T source,
			ToDoubleFunction<T> value) {
		return Gauge.builder(meter.getName(), source, value)
			.tag(EngineKeyNames.ENGINE.asString(), engine)
			.baseUnit(meter.getBaseUnit());
	}

	private static double oldest(LockAdministration administration, String engine) {
		return administration.held()
			.stream()
			.filter((held) -> held.engine().equals(engine))
			.findFirst()
			.map((held) -> Math.max(0, Duration.between(held.since(), Instant.now()).toMillis() / 1000.0))
			.orElse(0.0);
	}

	private static <T> long count(List<T> all, Function<T, String> engineOf, String engine) {
		return all.stream().filter((each) -> engineOf.apply(each).equals(engine)).count();
	}

}
