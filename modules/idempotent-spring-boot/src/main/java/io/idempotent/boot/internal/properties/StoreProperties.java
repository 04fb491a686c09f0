package io.idempotent.boot.internal.properties;

import java.time.Duration;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the store that keeps the records of operations.
 *
 * @param type Store that keeps the records. The local store is not shared with other
 * nodes and must be chosen explicitly. With receipt, the receipts of the guarded database
 * are the only records. Without idempotent-redis on the class path the default is jdbc,
 * if idempotent-jdbc is there.
 * @param requiredAtStart Whether the application fails to start if the store does not
 * work. Otherwise a warning is logged, and submissions are refused or run unprotected
 * until the store works.
 * @param redis Records in Redis.
 * @param jdbc Records in the database of the application.
 * @param local Records in the memory of this JVM.
 * @param nearCache Cache of completed outcomes in the memory of this JVM.
 */
public record StoreProperties(@DefaultValue("redis") StoreType type, @DefaultValue("false") boolean requiredAtStart,
		@DefaultValue Redis redis, @DefaultValue Jdbc jdbc, @DefaultValue Local local,
		@DefaultValue NearCache nearCache) {

	/**
	 * Records in Redis.
	 *
	 * @param keyPrefix Prefix of every key in Redis.
	 * @param timeout Timeout of a call of the store, if the Redis client is Lettuce. A
	 * shorter "spring.data.redis.timeout" takes precedence; other clients use only that.
	 */
	public record Redis(@DefaultValue("idem:") String keyPrefix, @DefaultValue("2s") Duration timeout) {

		public Redis {
			PropertyAssertions.positive("idempotent.store.redis.timeout", timeout);
		}

	}

	/**
	 * Records in the database of the application.
	 *
	 * @param table Name of the table of records.
	 */
	public record Jdbc(@DefaultValue("idempotent_record") String table) {

		public Jdbc {
			PropertyAssertions.tableName("idempotent.store.jdbc.table", table);
		}

	}

	/**
	 * Records in the memory of this JVM.
	 *
	 * @param maxRecords Maximum number of records. The oldest unused tokens make room for
	 * others; without any, further submissions are refused.
	 */
	public record Local(@DefaultValue("100000") int maxRecords) {

		public Local {
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
	 */
	record NearCache(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * Where records are kept.
	 */
	public enum StoreType {

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
		LOCAL,

		/**
		 * No store: the receipts in the guarded database are the records.
		 */
		RECEIPT

	}

}
