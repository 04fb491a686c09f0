package io.idempotent.submission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.store.OperationKey;
import io.idempotent.store.OutcomeCache;
import org.jspecify.annotations.Nullable;

/** Finds all that it was given and that has not expired. */
record MapCache(Map<OperationKey, Entry> entries) implements OutcomeCache {

	MapCache() {
		this(new ConcurrentHashMap<>());
	}

	@Override
	public @Nullable Entry find(OperationKey key) {
		Entry found = this.entries.get(key);
		return (found != null && !found.left().isZero()) ? found : null;
	}

	@Override
	public void put(OperationKey key, Entry entry) {
		this.entries.put(key, entry);
	}

}
