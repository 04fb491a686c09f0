package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of locks. Each group validates its values when it is bound.
 *
 * @param enabled Whether to enable locks.
 * @param engines Names of the lock engines, in order of preference: redisson, redis,
 * jdbc, jdbc-transaction, local, or the name() of another LockEngine bean, which the
 * application or an extension defines. The first one is used until a switch to another.
 * Defaults to redisson, or to jdbc if there is idempotent-lock-jdbc without
 * idempotent-lock-redis on the class path.
 * @param namespace Prefix of the name of each lock, followed by ":lock:", so that
 * applications can share an engine. Defaults to "idempotent.namespace". Set it to an
 * empty text to share locks with other applications, or with Redisson's own locks.
 * @param leaseTime How long a lock is valid without renewal.
 * @param waitTime How long an annotated method waits for its lock, if the annotation does
 * not set it.
 * @param rollbackOnLoss Whether to roll back a transaction instead of committing it if
 * its thread has lost a lock.
 * @param locks Settings of single locks, by name, which take precedence over the
 * annotation and over the options in the code.
 * @param jdbc Locks in a database.
 */
@ConfigurationProperties("idempotent.lock")
record LockProperties(@DefaultValue("true") boolean enabled, @DefaultValue List<String> engines,
		@Nullable String namespace, @DefaultValue("30s") Duration leaseTime, @DefaultValue("5s") Duration waitTime,
		@DefaultValue("true") boolean rollbackOnLoss, @DefaultValue Map<String, SingleLock> locks,
		@DefaultValue Jdbc jdbc) {

	private static final Pattern NAMESPACE = Pattern.compile("[^\\s\\p{Z}\\p{C}{}:]*");

	LockProperties {
		PropertyAssertions.lease("idempotent.lock.lease-time", leaseTime);
		PropertyAssertions.that(!waitTime.isNegative(), "idempotent.lock.wait-time", waitTime,
				"it must not be negative", "Give 0 to ask once, or a time such as 5s");
		PropertyAssertions.that(Set.copyOf(engines).size() == engines.size(), "idempotent.lock.engines", engines,
				"it names an engine twice", "Name each engine once");
		PropertyAssertions.that(namespace == null || NAMESPACE.matcher(namespace).matches(),
				"idempotent.lock.namespace", String.valueOf(namespace),
				"it stands in the name of each lock, which has no white space, and it has no colon and no brace",
				"Use letters, digits, hyphens, dots and underscores, such as my-shop, or set it to nothing for names "
						+ "that are shared with other applications");
		locks.forEach((name, lock) -> lock.requireTimes(name));
	}

	/**
	 * The prefix of the name of each lock.
	 * @param application the name of the application
	 * @return the prefix, empty if names are shared
	 */
	String namePrefix(String application) {
		String name = (this.namespace != null) ? this.namespace : application;
		return name.isEmpty() ? "" : name.replaceAll("[\\s{}:]+", "-") + ":lock:";
	}

	/**
	 * Settings of a single lock.
	 *
	 * @param waitTime How long to wait for the lock.
	 * @param leaseTime How long the lock is valid without renewal.
	 * @param holdAtMost How long the lock is held at most.
	 * @param holdAtLeast How long the lock stays locked at least.
	 * @param engine Name of the lock engine.
	 * @param fair Whether waiting nodes get the lock in turn.
	 */
	record SingleLock(@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Duration holdAtMost,
			@Nullable Duration holdAtLeast, @Nullable String engine, @Nullable Boolean fair) {

		private static final Duration SHORTEST = Duration.ofMillis(10);

		static String property(String name, String setting) {
			return PropertyAssertions.property("idempotent.lock.locks", name, setting);
		}

		void requireTimes(String name) {
			requireTime(property(name, "wait-time"), this.waitTime, Duration.ZERO,
					"0 to ask once, or a time such as 5s");
			requireTime(property(name, "lease-time"), this.leaseTime, SHORTEST, "a time such as 30s");
			requireTime(property(name, "hold-at-most"), this.holdAtMost, SHORTEST, "a time such as 10m");
			requireTime(property(name, "hold-at-least"), this.holdAtLeast, Duration.ZERO, "a time such as 1m");
		}

		private static void requireTime(String property, @Nullable Duration time, Duration shortest, String action) {
			if (time != null) {
				PropertyAssertions.that(time.compareTo(shortest) >= 0, property, time,
						"it must be at least " + DurationText.of(shortest), "Give " + action);
			}
		}

	}

	/**
	 * Locks in a database.
	 *
	 * @param table Name of the table of leases, for the engine jdbc.
	 * @param transactionTable Name of the table of rows that transactions lock, for the
	 * engine jdbc-transaction.
	 */
	record Jdbc(@DefaultValue("idempotent_lock") String table,
			@DefaultValue("idempotent_transaction_lock") String transactionTable) {

		Jdbc {
			PropertyAssertions.tableName("idempotent.lock.jdbc.table", table);
			PropertyAssertions.tableName("idempotent.lock.jdbc.transaction-table", transactionTable);
		}

	}

}
