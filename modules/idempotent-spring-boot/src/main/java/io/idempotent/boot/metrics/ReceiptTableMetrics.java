package io.idempotent.boot.metrics;

import java.time.Duration;

import io.idempotent.boot.internal.store.RareProbe;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of the age of receipts, as last known: a scrape never waits for the database.
 */
final class ReceiptTableMetrics implements MeterBinder {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final ReceiptGuard guard;

	private final RareProbe<Duration> oldest;

	private volatile double lastKnown = Double.NaN;

	ReceiptTableMetrics(ReceiptGuard guard) {
		this.guard = guard;
		this.oldest = new RareProbe<>("idempotent-receipt-age", INTERVAL, () -> guard.oldest().orElse(Duration.ZERO));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder(IdempotencyMeterDocumentation.RECEIPTS_OLDEST.getName(), this, ReceiptTableMetrics::oldest)
			.baseUnit(IdempotencyMeterDocumentation.RECEIPTS_OLDEST.getBaseUnit())
			.register(registry);
		Gauge
			.builder(IdempotencyMeterDocumentation.RECEIPTS_RETENTION.getName(), this.guard,
					(receipts) -> seconds(receipts.retention()))
			.baseUnit(IdempotencyMeterDocumentation.RECEIPTS_RETENTION.getBaseUnit())
			.register(registry);
	}

	private double oldest() {
		RareProbe.Answer<Duration> answer = this.oldest.ask(Duration.ZERO);
		if (answer instanceof RareProbe.Answer.Given<Duration> given) {
			this.lastKnown = seconds(given.value());
		}
		else if (answer instanceof RareProbe.Answer.Failed<Duration>) {
			this.lastKnown = Double.NaN;
		}
		return this.lastKnown;
	}

	private static double seconds(Duration time) {
		return time.toMillis() / 1000.0;
	}

}
