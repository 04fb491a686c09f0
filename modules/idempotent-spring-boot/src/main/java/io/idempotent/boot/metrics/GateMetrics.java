package io.idempotent.boot.metrics;

import java.util.function.ToDoubleFunction;

import io.idempotent.engine.GateStatus;
import io.idempotent.engine.IdempotencyGate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the current activity of the gate.
 */
final class GateMetrics implements MeterBinder {

	private final IdempotencyGate gate;

	GateMetrics(IdempotencyGate gate) {
		this.gate = gate;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, IdempotencyMeterDocumentation.CLAIMS_RUNNING, GateStatus::running);
		gauge(registry, IdempotencyMeterDocumentation.SUBMISSIONS_WAITING, GateStatus::waiting);
		gauge(registry, IdempotencyMeterDocumentation.WRITES_PENDING, GateStatus::pendingWrites);
		gauge(registry, IdempotencyMeterDocumentation.WRITES_PENDING_BYTES, GateStatus::pendingBytes);
	}

	private void gauge(MeterRegistry registry, IdempotencyMeterDocumentation meter,
			ToDoubleFunction<GateStatus> value) {
		@Nullable String unit = meter.getBaseUnit();
		Gauge.builder(meter.getName(), this.gate, (current) -> value.applyAsDouble(current.status()))
			.baseUnit(unit)
			.register(registry);
	}

}
