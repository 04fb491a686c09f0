package io.idempotent.boot.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.boot.metrics.IdempotencyMeterDocumentation.ReceiptKeyNames;
import io.idempotent.engine.receipt.ReceiptListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Counts events of receipts, and outcomes that were dropped. The counters exist from the
 * start, so that the first event is an increase from zero.
 */
final class EventMetrics implements IdempotencyListener, ReceiptListener, MeterBinder {

	private final LongAdder droppedWrites = new LongAdder();

	private final Map<Event, LongAdder> receipts = new EnumMap<>(Event.class);

	private final boolean receiptsEnabled;

	EventMetrics(boolean receiptsEnabled) {
		this.receiptsEnabled = receiptsEnabled;
		for (Event event : Event.values()) {
			this.receipts.put(event, new LongAdder());
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter
			.builder(IdempotencyMeterDocumentation.WRITES_DROPPED.getName(), this.droppedWrites, LongAdder::sum)
			.register(registry);
		if (this.receiptsEnabled) {
			this.receipts.forEach((event, count) -> FunctionCounter
				.builder(IdempotencyMeterDocumentation.RECEIPTS.getName(), count, LongAdder::sum)
				.tag(ReceiptKeyNames.EVENT.asString(), TagName.value(event))
				.register(registry));
		}
	}

	@Override
	public void onEvent(IdempotencyEvent event) {
		if (event.type() == IdempotencyEvent.Type.WRITE_DROPPED) {
			this.droppedWrites.increment();
		}
	}

	@Override
	public void onReceipt(Event event) {
		LongAdder count = this.receipts.get(event);
		if (count != null) {
			count.increment();
		}
	}

}
