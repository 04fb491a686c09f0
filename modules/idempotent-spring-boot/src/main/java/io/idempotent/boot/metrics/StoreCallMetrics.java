package io.idempotent.boot.metrics;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.idempotent.submission.event.GateListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Times the store's calls. All timers exist from the start, to increase from zero. */
final class StoreCallMetrics implements GateListener {

	private final Map<StoreCall, Map<StoreResult, Timer>> timers = new EnumMap<>(StoreCall.class);

	StoreCallMetrics(MeterRegistry registry) {
		for (StoreCall call : StoreCall.values()) {
			Map<StoreResult, Timer> ofCall = new EnumMap<>(StoreResult.class);
			results(call).forEach((result) -> ofCall.put(result, timer(registry, call, result)));
			this.timers.put(call, ofCall);
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
