package io.idempotent.metrics.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.HeldLock;
import io.idempotent.metrics.autoconfigure.IdempotencyMeterDocumentation.MeterTag;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;

/**
 * Gauges of this node's locks and the engine in force, without remote calls; how long
 * locks are held, by their group, and how many are lost. The counters exist from the
 * start, so that the first loss is an increase from zero.
 */
final class LockMetrics implements LockListener, MeterBinder {

	private final Supplier<DistributedLocks> locks;

	private final MeterProvider<Timer> holds;

	private final MeterProvider<Counter> losses;

	LockMetrics(Supplier<DistributedLocks> locks, MeterRegistry registry) {
		this.locks = locks;
		this.holds = Timer.builder(IdempotencyMeterDocumentation.LOCK_HOLD.getName())
			.description("How long locks were held")
			.withRegistry(registry);
		this.losses = Counter.builder(IdempotencyMeterDocumentation.LOCK_LOSSES.getName()).withRegistry(registry);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		DistributedLocks all = this.locks.get();
		for (String engine : all.engines()) {
			byEngine(IdempotencyMeterDocumentation.LOCK_IN_FORCE, engine, all,
					(current) -> current.engineInForce().equals(engine) ? 1 : 0)
				.register(registry);
			this.losses.withTag(MeterTag.ENGINE.asString(), engine);
			if (all instanceof EngineDistributedLocks node) {
				bindLocal(registry, node, engine);
			}
		}
	}

	private static void bindLocal(MeterRegistry registry, EngineDistributedLocks node, String engine) {
		byEngine(IdempotencyMeterDocumentation.LOCK_HELD, engine, node, (current) -> held(current, engine).count())
			.register(registry);
		byEngine(IdempotencyMeterDocumentation.LOCK_WAITING, engine, node, (current) -> waiting(current, engine))
			.register(registry);
		byEngine(IdempotencyMeterDocumentation.LOCK_OLDEST, engine, node, (current) -> oldest(current, engine))
			.register(registry);
	}

	private static <T> Gauge.Builder<T> byEngine(IdempotencyMeterDocumentation meter, String engine, T source,
			ToDoubleFunction<T> value) {
		return Gauge.builder(meter.getName(), source, value)
			.tag(MeterTag.ENGINE.asString(), engine)
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

	@Override
	public void onEvent(LockEvent event) {
		switch (event.type()) {
			case RELEASED -> recordHold(event, "released");
			case LOST -> {
				this.losses.withTag(MeterTag.ENGINE.asString(), event.engine()).increment();
				recordHold(event, "lost");
			}
			default -> {
				// Not the end of a hold, or observed as an acquisition.
			}
		}
	}

	private void recordHold(LockEvent event, String end) {
		this.holds
			.withTags(Tags.of(MeterTag.END.asString(), end, MeterTag.ENGINE.asString(), event.engine(),
					MeterTag.GROUP.asString(), event.group()))
			.record(event.time());
	}

	/**
	 * Bounds the number of lock groups in tags: a name without a colon is a group of its
	 * own, and it may contain the value of a key. Further groups are counted as
	 * {@value #OTHER}.
	 */
	static final class GroupLimit implements MeterFilter {

		static final int MAX_GROUPS = 100;

		static final String OTHER = "other";

		private final Set<String> groups = ConcurrentHashMap.newKeySet();

		@Override
		public Meter.Id map(Meter.Id id) {
			String group = id.getName().startsWith("idempotent.lock") ? id.getTag("group") : null;
			return (group == null || isKnown(group)) ? id : id.withTag(Tag.of("group", OTHER));
		}

		/**
		 * Threads that meet a new group at the same time may exceed the limit by a few.
		 */
		private boolean isKnown(String group) {
			return this.groups.contains(group) || (this.groups.size() < MAX_GROUPS && this.groups.add(group));
		}

	}

}
