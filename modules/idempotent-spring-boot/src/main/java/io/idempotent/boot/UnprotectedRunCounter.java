package io.idempotent.boot;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts the runs without protection, by operation.
 */
final class UnprotectedRunCounter implements IdempotencyListener {

	private static final String NAME = "idempotent.unprotected";

	private final MeterRegistry registry;

	UnprotectedRunCounter(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onEvent(IdempotencyEvent event) {
		if (event.type() == IdempotencyEvent.Type.UNPROTECTED) {
			this.registry.counter(NAME, "operation", event.operation()).increment();
		}
	}

}
