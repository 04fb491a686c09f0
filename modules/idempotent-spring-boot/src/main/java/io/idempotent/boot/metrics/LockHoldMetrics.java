package io.idempotent.boot.metrics;

import io.idempotent.boot.metrics.LockMeterDocumentation.HoldKeyNames;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Times how long locks are held, by their group.
 */
final class LockHoldMetrics implements LockListener {

	private final MeterProvider<Timer> timers;

	LockHoldMetrics(MeterRegistry registry) {
		this.timers = Timer.builder(LockMeterDocumentation.HOLD.getName())
			.description("How long locks were held")
			.withRegistry(registry);
	}

	@Override
	public void onEvent(LockEvent event) {
		switch (event.type()) {
			case RELEASED -> record(event, "released");
			case LOST -> record(event, "lost");
			default -> {
				// Not the end of a hold, or observed as an acquisition.
			}
		}
	}

	private void record(LockEvent event, String end) {
		this.timers.withTags(Tags.of(HoldKeyNames.END.asString(), end, HoldKeyNames.ENGINE.asString(), event.engine(),
				HoldKeyNames.GROUP.asString(), event.group()))
			.record(event.time());
	}

}
