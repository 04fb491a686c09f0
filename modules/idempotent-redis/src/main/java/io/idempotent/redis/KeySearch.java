package io.idempotent.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordAdministration.FoundKeys;

/**
 * Searches keys by prefix. Redis does not sort keys, so all of them are scanned in small
 * steps, until one is found or a time limit is reached. Operations whose outcome is
 * unknown are searched first.
 */
final class KeySearch {

	static final Duration TIME = Duration.ofSeconds(5);

	private final RedisCalls redis;

	private final RedisKeys keys;

	private final UnknownSet unknown;

	private final Duration time;

	KeySearch(RedisCalls redis, RedisKeys keys, UnknownSet unknown, Duration time) {
		this.redis = redis;
		this.keys = keys;
		this.unknown = unknown;
		this.time = time;
	}

	/**
	 * Finds keys. A whole key needs no search, and a search ends with the first step that
	 * finds a key: two digests hardly ever share 72 bits.
	 */
	FoundKeys find(KeyPrefix prefix, int limit, Predicate<OperationKey> exists) {
		OperationKey whole = prefix.wholeKey();
		if (whole != null) {
			return new FoundKeys(exists.test(whole) ? List.of(whole) : List.of(), true);
		}
		List<OperationKey> known = this.unknown.find(prefix).stream().filter(exists).limit(limit).toList();
		return known.isEmpty() ? scan(prefix, limit) : new FoundKeys(known, false);
	}

	private FoundKeys scan(KeyPrefix prefix, int limit) {
		byte[] pattern = this.keys.pattern(prefix);
		long deadline = System.nanoTime() + this.time.toNanos();
		KeyPage page = this.redis.scan(null, pattern);
		while (page != null && page.keys().isEmpty() && page.next() != null && System.nanoTime() < deadline) {
			page = this.redis.scan(page.next(), pattern);
		}
		return (page != null) ? new FoundKeys(page.keys().stream().map(this::key).distinct().limit(limit).toList(),
				page.next() == null) : new FoundKeys(List.of(), false);
	}

	private OperationKey key(byte[] name) {
		String text = new String(name, StandardCharsets.US_ASCII);
		return OperationKey.parse(text.substring(this.keys.value().length()));
	}

}
