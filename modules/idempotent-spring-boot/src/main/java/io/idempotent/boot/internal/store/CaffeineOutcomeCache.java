package io.idempotent.boot.internal.store;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import org.jspecify.annotations.Nullable;

/**
 * Keeps completed outcomes in memory, bounded by bytes and by time.
 */
public final class CaffeineOutcomeCache implements OutcomeCache {

	/** The approximate memory of an entry in bytes, without its answer. */
	private static final int OVERHEAD = 300;

	private final Cache<OperationKey, Entry> cache;

	/**
	 * A record that was deleted by hand may be replayed for up to {@code maxAge}.
	 * @param maxBytes the approximate memory of all entries
	 */
	public CaffeineOutcomeCache(long maxBytes, Duration maxAge) {
		this.cache = Caffeine.newBuilder()
			.maximumWeight(maxBytes)
			.weigher((OperationKey key, Entry entry) -> OVERHEAD + size(entry.done().outcome()))
			// A thread of a pool costs more than the maintenance that it does.
			.executor(Runnable::run)
			.expireAfter(Expiry.writing((OperationKey key, Entry entry) -> shorter(entry.left(), maxAge)))
			.build();
	}

	@Override
	public @Nullable Entry find(OperationKey key) {
		return this.cache.getIfPresent(key);
	}

	@Override
	public void put(OperationKey key, Entry entry) {
		this.cache.put(key, entry);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private static int size(Outcome outcome) {
		return (outcome instanceof Outcome.Stored stored) ? stored.answer().length : 0;
	}

}
