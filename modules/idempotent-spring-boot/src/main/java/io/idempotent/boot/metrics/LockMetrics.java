package io.idempotent.boot.metrics;

import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.idempotent.boot.metrics.LockMeterDocumentation.EngineKeyNames;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.hold.HeldLock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/** Gauges of this node's locks and the engine in force, without remote calls. */
final class LockMetrics implements MeterBinder {

	private final DistributedLocks locks;

	private final @Nullable EngineDistributedLocks node;

	LockMetrics(DistributedLocks locks, @Nullable EngineDistributedLocks node) {
		this.locks = locks;
		this.node = node;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, LockMeterDocumentation.EPOCH, (current) -> current.engineStatus().epoch());
		gauge(registry, LockMeterDocumentation.SWITCHING, (current) -> current.engineStatus().isSwitching() ? 1 : 0);
		for (String engine : this.locks.engines()) {
			byEngine(LockMeterDocumentation.IN_FORCE, engine, this.locks,
					(current) -> current.currentEngine().equals(engine) ? 1 : 0)
				.register(registry);
			if (this.node != null) {
				bindLocal(registry, this.node, engine);
			}
		}
	}

	private static void bindLocal(MeterRegistry registry, EngineDistributedLocks node, String engine) {
		byEngine(LockMeterDocumentation.HELD, engine, node, (current) -> held(current, engine).count())
			.register(registry);
		byEngine(LockMeterDocumentation.WAITING, engine, node, (current) -> waiting(current, engine))
			.register(registry);
		byEngine(LockMeterDocumentation.OLDEST, engine, node, (current) -> oldest(current, engine)).register(registry);
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

	private static Stream<HeldLock> held(EngineDistributedLocks node, String engine) {
		return node.heldByNode().filter((held) -> held.engine().name().equals(engine));
	}

	private static long waiting(EngineDistributedLocks node, String engine) {
		return node.waiting()
			.stream()
			.filter((waiter) -> node.selection().engine(waiter.options()).name().equals(engine))
			.count();
	}

	private static double oldest(EngineDistributedLocks node, String engine) {
		long now = System.nanoTime();
		return held(node, engine).mapToLong((held) -> held.nanosHeldAt(now)).max().orElse(0) / 1e9;
	}

}
