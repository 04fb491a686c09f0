package io.idempotent.metrics.autoconfigure;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.idempotent.IdempotencyEvent;
import io.idempotent.metrics.autoconfigure.IdempotencyMeterDocumentation.MeterTag;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.event.GateListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the activity of the gate; times of the store's calls; counts of receipts and
 * of dropped outcomes. All timers and counters exist from the start: the first event is
 * an increase from zero.
 */
final class GateMetrics implements GateListener, MeterBinder {

	private final Supplier<IdempotencyGate> gate;

	private final Map<StoreCall, Map<StoreResult, Timer>> timers = new EnumMap<>(StoreCall.class);

	private final Counter droppedWrites;

	private final Map<ReceiptEvent, Counter> receipts = new EnumMap<>(ReceiptEvent.class);

	/** The gate is created later, with its listeners. */
	GateMetrics(Supplier<IdempotencyGate> gate, boolean receiptsEnabled, MeterRegistry registry) {
		this.gate = gate;
		for (StoreCall call : StoreCall.values()) {
			Map<StoreResult, Timer> ofCall = new EnumMap<>(StoreResult.class);
			results(call).forEach((result) -> ofCall.put(result, timer(registry, call, result)));
			this.timers.put(call, ofCall);
		}
		this.droppedWrites = Counter.builder(IdempotencyMeterDocumentation.WRITES_DROPPED.getName()).register(registry);
		if (receiptsEnabled) {
			for (ReceiptEvent event : ReceiptEvent.values()) {
				this.receipts.put(event,
						Counter.builder(IdempotencyMeterDocumentation.RECEIPTS.getName())
							.tag(MeterTag.EVENT.asString(), MeterTag.value(event))
							.register(registry));
			}
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, IdempotencyMeterDocumentation.CLAIMS_RUNNING, IdempotencyGate.Status::running);
		gauge(registry, IdempotencyMeterDocumentation.SUBMISSIONS_WAITING, IdempotencyGate.Status::waiting);
		gauge(registry, IdempotencyMeterDocumentation.WRITES_PENDING, IdempotencyGate.Status::pendingWrites);
		gauge(registry, IdempotencyMeterDocumentation.WRITES_PENDING_BYTES, IdempotencyGate.Status::pendingBytes);
	}

	private void gauge(MeterRegistry registry, IdempotencyMeterDocumentation meter,
			ToDoubleFunction<IdempotencyGate.Status> value) {
		@Nullable String unit = meter.getBaseUnit();
		Gauge.builder(meter.getName(), this.gate.get(), (gate) -> value.applyAsDouble(gate.status()))
			.baseUnit(unit)
			.register(registry);
	}

	@Override
	public void onEvent(IdempotencyEvent event) {
		if (event.type() == IdempotencyEvent.Type.WRITE_DROPPED) {
			this.droppedWrites.increment();
		}
	}

	@Override
	public void onReceipt(ReceiptEvent event) {
		Counter count = this.receipts.get(event);
		if (count != null) {
			count.increment();
		}
	}

	private static Set<StoreResult> results(StoreCall call) {
		EnumSet<StoreResult> results = switch (call) {
			case CLAIM -> EnumSet.range(StoreResult.GRANTED, StoreResult.NOT_ISSUED);
			case COMPLETE, RENEW, RELEASE -> EnumSet.of(StoreResult.HELD, StoreResult.LOST);
			case ISSUE -> EnumSet.of(StoreResult.ISSUED);
		};
		results.add(StoreResult.UNAVAILABLE);
		results.add(StoreResult.FAILED);
		return results;
	}

	private static Timer timer(MeterRegistry registry, StoreCall call, StoreResult result) {
		return Timer.builder(IdempotencyMeterDocumentation.STORE_CALLS.getName())
			.description("Calls of the store of idempotent operations")
			.tag(MeterTag.CALL.asString(), MeterTag.value(call))
			.tag(MeterTag.RESULT.asString(), MeterTag.value(result))
			.register(registry);
	}

	@Override
	public void onStoreCall(StoreCall call, StoreResult result, long nanos) {
		Map<StoreResult, Timer> ofCall = this.timers.get(call);
		Timer timer = (ofCall != null) ? ofCall.get(result) : null;
		if (timer != null) {
			timer.record(nanos, TimeUnit.NANOSECONDS);
		}
	}

}
