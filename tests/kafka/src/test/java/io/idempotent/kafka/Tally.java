package io.idempotent.kafka;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;

/**
 * Counts what happened to the deliveries of a consumer.
 */
final class Tally implements IdempotencyListener {

	private final Map<IdempotencyEvent.Type, Integer> counts = new ConcurrentHashMap<>();

	private final Set<String> refusedKeys = ConcurrentHashMap.newKeySet();

	@Override
	public void onEvent(IdempotencyEvent event) {
		this.counts.merge(event.type(), 1, Integer::sum);
		if (event.type() == IdempotencyEvent.Type.REFUSED) {
			this.refusedKeys.add(event.key());
		}
	}

	int of(IdempotencyEvent.Type type) {
		return this.counts.getOrDefault(type, 0);
	}

	Set<String> refusedKeys() {
		return Set.copyOf(this.refusedKeys);
	}

	Map<IdempotencyEvent.Type, Integer> all() {
		return Map.copyOf(this.counts);
	}

}
