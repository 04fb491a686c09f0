package io.idempotent.boot.metrics;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.metrics.IdempotencyMeterDocumentation.StoreCallKeyNames;
import io.idempotent.engine.event.StoreCallListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Times the store's calls. All timers exist from the start, to increase from zero. */
final class StoreCallMetrics implements StoreCallListener {

	private final Map<Call, Map<Result, Timer>> timers = new EnumMap<>(Call.class);

	StoreCallMetrics(MeterRegistry registry) {
		for (Call call : Call.values()) {
			Map<Result, Timer> ofCall = new EnumMap<>(Result.class);
			results(call).forEach((result) -> ofCall.put(result, timer(registry, call, result)));
			this.timers.put(call, ofCall);
		}
	}

	private static Set<Result> results(Call call) {
		EnumSet<Result> results = switch (call) {
			case CLAIM -> EnumSet.range(Result.GRANTED, Result.NOT_ISSUED);
			case COMPLETE, RENEW, RELEASE -> EnumSet.of(Result.HELD, Result.LOST);
			case ISSUE -> EnumSet.of(Result.ISSUED);
		};
		results.add(Result.UNAVAILABLE);
		results.add(Result.FAILED);
		return results;
	}

	private static Timer timer(MeterRegistry registry, Call call, Result result) {
		return Timer.builder(IdempotencyMeterDocumentation.STORE_CALLS.getName())
			.description("Calls of the store of idempotent operations")
			.tag(StoreCallKeyNames.CALL.asString(), TagName.value(call))
			.tag(StoreCallKeyNames.RESULT.asString(), TagName.value(result))
			.register(registry);
	}

	@Override
	public void onCall(Call call, Result result, long nanos) {
		Map<Result, Timer> ofCall = this.timers.get(call);
		Timer timer = (ofCall != null) ? ofCall.get(result) : null;
		if (timer != null) {
			timer.record(nanos, TimeUnit.NANOSECONDS);
		}
	}

}
