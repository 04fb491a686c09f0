package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import io.idempotent.boot.PropertyAssertions;
import io.idempotent.lock.Renewal;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of locks. Once they are bound they can work: each group refuses what cannot.
 *
 * @param enabled Whether locks are switched on.
 * @param engines Names of the lock engines, in order of preference: redisson, zookeeper,
 * jdbc, jdbc-transaction, local, or the name of a bean's own. The first is used until
 * something switches. Defaults to redisson.
 * @param namespace Name of the application before the name of each lock, as namespace and
 * ":lock:", so that applications can share an engine. Defaults to "idempotent.namespace".
 * Set it to nothing for names that are shared with other applications, or with Redisson's
 * own locks.
 * @param leaseTime How long a lock lives without renewal.
 * @param renewal What happens to the lease while a lock is held.
 * @param maxHoldTime Longest hold of a lock that is renewed up to a maximum.
 * @param waitTime How long an annotated method waits for its lock, if it does not say.
 * @param rollbackOnLoss Whether a transaction is rolled back instead of committed when
 * its thread has lost a lock.
 * @param redisson Locks in Redis.
 * @param zookeeper Locks in ZooKeeper.
 * @param switching Automatic switching between engines.
 */
@ConfigurationProperties("idempotent.lock")
record LockProperties(@DefaultValue("true") boolean enabled, @DefaultValue List<String> engines,
		@Nullable String namespace, @DefaultValue("30s") Duration leaseTime,
		@DefaultValue("while-held") Renewal renewal, @DefaultValue("5m") Duration maxHoldTime,
		@DefaultValue("5s") Duration waitTime, @DefaultValue("true") boolean rollbackOnLoss,
		@DefaultValue Redisson redisson, @DefaultValue ZooKeeper zookeeper, @DefaultValue Switching switching) {

	private static final Pattern NAMESPACE = Pattern.compile("[^\\s\\p{Z}\\p{C}{}:]*");

	LockProperties {
		PropertyAssertions.lease("idempotent.lock.lease-time", leaseTime);
		PropertyAssertions.decided("idempotent.lock.renewal", renewal, Renewal.DEFAULT);
		PropertyAssertions.positive("idempotent.lock.max-hold-time", maxHoldTime);
		PropertyAssertions.that(!waitTime.isNegative(), "idempotent.lock.wait-time", waitTime,
				"it must not be negative", "Give 0 to ask once, or a time such as 5s");
		PropertyAssertions.that(engines.stream().distinct().count() == engines.size(), "idempotent.lock.engines",
				engines, "it names an engine twice", "Name each engine once");
		PropertyAssertions.that(namespace == null || NAMESPACE.matcher(namespace).matches(),
				"idempotent.lock.namespace", String.valueOf(namespace),
				"it stands in the name of each lock, which has no white space, and it has no colon and no brace",
				"Use letters, digits, hyphens, dots and underscores, such as my-shop, or set it to nothing for names "
						+ "that are shared with other applications");
	}

	/**
	 * What the engines know before the name of each lock.
	 * @param application the name of the application
	 * @return the prefix; nothing if names are shared
	 */
	String namePrefix(String application) {
		String name = (this.namespace != null) ? this.namespace : application;
		return name.isEmpty() ? "" : name.replaceAll("[\\s{}:]+", "-") + ":lock:";
	}

	/**
	 * Locks in Redis.
	 *
	 * @param keyPrefix What stands before the qualified name of each lock in Redis, such
	 * as "test:".
	 */
	record Redisson(@DefaultValue("") String keyPrefix) {
	}

	/**
	 * Locks in ZooKeeper, for applications without a CuratorFramework of their own.
	 *
	 * @param connectString Servers of the ensemble, as host:port, separated by commas.
	 * @param namespace Node below which everything is kept; the application's chroot.
	 * @param basePath Node below which the locks are kept.
	 * @param sessionTimeout How long a session lives without contact, which is how long a
	 * lock outlives its holder.
	 * @param connectionTimeout How long a connection may take.
	 * @param auth User and password for digest authentication, as user:password; then
	 * nobody else may touch the locks.
	 */
	record ZooKeeper(@Nullable String connectString, @DefaultValue("") String namespace,
			@DefaultValue("/idempotent/locks") String basePath, @DefaultValue("20s") Duration sessionTimeout,
			@DefaultValue("5s") Duration connectionTimeout, @Nullable String auth) {

		ZooKeeper {
			PropertyAssertions.that(basePath.startsWith("/") && !basePath.endsWith("/"),
					"idempotent.lock.zookeeper.base-path", basePath, "it must begin with a slash and not end with one",
					"Give a path such as /locks");
			PropertyAssertions.positive("idempotent.lock.zookeeper.session-timeout", sessionTimeout);
			PropertyAssertions.positive("idempotent.lock.zookeeper.connection-timeout", connectionTimeout);
			PropertyAssertions.that(auth == null || auth.indexOf(':') > 0, "idempotent.lock.zookeeper.auth",
					"(not shown)", "it has no user before a colon", "Write it as user:password");
		}

		/**
		 * Tells no secret.
		 */
		@Override
		public String toString() {
			return "ZooKeeper[connectString=" + this.connectString + ", namespace=" + this.namespace + "]";
		}

	}

	/**
	 * Automatic switching between engines.
	 *
	 * @param automatic Whether a node switches to the next engine when the one in use
	 * fails. Nodes decide each for itself and do not exclude each other meanwhile.
	 * @param dwellTime How long an engine is used at least before a node switches again.
	 * @param failureRate Share of failing calls, in percent, at which an engine counts as
	 * failing.
	 * @param minimumCalls How many calls are judged at least.
	 * @param window How many of the latest calls are judged.
	 */
	record Switching(@DefaultValue("false") boolean automatic, @DefaultValue("1m") Duration dwellTime,
			@DefaultValue("50") int failureRate, @DefaultValue("5") int minimumCalls, @DefaultValue("20") int window) {

		Switching {
			PropertyAssertions.positive("idempotent.lock.switching.dwell-time", dwellTime);
			PropertyAssertions.that(failureRate >= 1 && failureRate <= 100, "idempotent.lock.switching.failure-rate",
					failureRate, "it is a share in percent", "Give a number from 1 to 100");
			PropertyAssertions.that(minimumCalls >= 1, "idempotent.lock.switching.minimum-calls", minimumCalls,
					"it must be at least 1", "Give a number such as 5");
			PropertyAssertions.that(window >= minimumCalls, "idempotent.lock.switching.window", window,
					"it must not be less than idempotent.lock.switching.minimum-calls (" + minimumCalls + ")",
					"Give a number such as 20");
		}

	}

}
