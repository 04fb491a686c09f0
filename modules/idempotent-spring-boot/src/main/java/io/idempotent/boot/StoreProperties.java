package io.idempotent.boot;

import java.time.Duration;

import io.idempotent.engine.ClaimRetry;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the store that keeps the records of operations. Those of a store in a
 * database are {@link JdbcStoreProperties}.
 *
 * @param type Store that keeps the records. The local store is not shared with other
 * nodes and must be chosen explicitly. Without idempotent-redis on the class path the
 * default is jdbc, if idempotent-jdbc is there.
 * @param requiredAtStart Whether the application fails to start if the store does not
 * work. Otherwise a warning is logged, and submissions are refused or run unprotected
 * until the store works.
 * @param claimRetry Retries of claims whose reply was lost.
 * @param redis Records in Redis.
 * @param local Records in the memory of this JVM.
 * @param nearCache Cache of completed outcomes in the memory of this JVM.
 */
record StoreProperties(@DefaultValue("redis") StoreType type, @DefaultValue("false") boolean requiredAtStart,
		@DefaultValue Retry claimRetry, @DefaultValue Redis redis, @DefaultValue Local local,
		@DefaultValue NearCache nearCache) {

	/**
	 * Retries of claims whose reply was lost.
	 *
	 * @param maxRetries Maximum number of retries of a claim. The first one follows
	 * immediately.
	 * @param delay Delay before each retry after the first one.
	 * @param timeout How long after the first retry another one may start.
	 */
	record Retry(@DefaultValue("1") int maxRetries, @DefaultValue("100ms") Duration delay,
			@DefaultValue("2s") Duration timeout) {

		Retry {
			PropertyAssertions.that(maxRetries >= 1, "idempotent.store.claim-retry.max-retries", maxRetries,
					"the first retry reads back a claim whose reply was lost", "Give at least 1");
			PropertyAssertions.that(!delay.isNegative(), "idempotent.store.claim-retry.delay", delay,
					"it must not be negative", "Give a time such as 100ms, or 0");
			PropertyAssertions.that(timeout.toMillis() > 0, "idempotent.store.claim-retry.timeout", timeout,
					"it is less than a millisecond", "Give a time such as 2s");
		}

		ClaimRetry toRetry() {
			return new ClaimRetry(this.maxRetries, this.delay, this.timeout);
		}

	}

	/**
	 * Records in Redis.
	 *
	 * @param keyPrefix Prefix of every key in Redis.
	 * @param timeout Timeout of a call of the store, if the Redis client is Lettuce. A
	 * shorter "spring.data.redis.timeout" takes precedence; other clients use only that.
	 */
	record Redis(@DefaultValue("idem:") String keyPrefix, @DefaultValue("2s") Duration timeout) {

		Redis {
			PropertyAssertions.positive("idempotent.store.redis.timeout", timeout);
		}

	}

	/**
	 * Records in the memory of this JVM.
	 *
	 * @param maxRecords Maximum number of records. The oldest unused tokens make room for
	 * others; without any, further submissions are refused.
	 */
	record Local(@DefaultValue("100000") int maxRecords) {

		Local {
			PropertyAssertions.that(maxRecords > 0, "idempotent.store.local.max-records", maxRecords,
					"it must be at least 1", "Give the number of operations within one retention");
		}

	}

	/**
	 * Cache of completed outcomes in the memory of this JVM. A duplicate found there
	 * needs no round trip to the store.
	 *
	 * @param enabled Whether to cache completed outcomes in the memory of this JVM, if
	 * Caffeine is on the class path.
	 * @param maxSize Maximum memory of the cached outcomes.
	 * @param maxAge Maximum age of a cached outcome.
	 */
	record NearCache(@DefaultValue("true") boolean enabled, @DefaultValue("16MB") DataSize maxSize,
			@DefaultValue("10m") Duration maxAge) {

		private static final String ACTION = "Give %s, or disable the cache: idempotent.store.near-cache.enabled=false";

		NearCache {
			PropertyAssertions.that(maxSize.toBytes() > 0, "idempotent.store.near-cache.max-size", maxSize,
					"it must be positive", ACTION.formatted("a size such as 16MB"));
			PropertyAssertions.that(PropertyAssertions.isPositive(maxAge), "idempotent.store.near-cache.max-age",
					maxAge, "it must be positive", ACTION.formatted("a time such as 10m"));
		}

	}

	/**
	 * Where records are kept.
	 */
	enum StoreType {

		/**
		 * The Redis of the application.
		 */
		REDIS,

		/**
		 * The database of the application.
		 */
		JDBC,

		/**
		 * The memory of this JVM.
		 */
		LOCAL

	}

}
