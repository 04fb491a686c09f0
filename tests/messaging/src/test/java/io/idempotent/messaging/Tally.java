package io.idempotent.messaging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;

/**
 * Counts what happened to the deliveries.
 */
final class Tally implements IdempotencyListener {

	private final Map<IdempotencyEvent.Type, Integer> counts = new ConcurrentHashMap<>();

	private final AtomicInteger withoutKey = new AtomicInteger();

	@Override
	public void onEvent(IdempotencyEvent event) {
		this.counts.merge(event.type(), 1, Integer::sum);
		if (event.key().isEmpty()) {
			this.withoutKey.incrementAndGet();
		}
	}

	int of(IdempotencyEvent.Type type) {
		return this.counts.getOrDefault(type, 0);
	}

	int withoutKey() {
		return this.withoutKey.get();
	}

	void clear() {
		this.counts.clear();
		this.withoutKey.set(0);
	}

}
