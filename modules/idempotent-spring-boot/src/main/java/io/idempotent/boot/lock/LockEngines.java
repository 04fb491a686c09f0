package io.idempotent.boot.lock;

import java.util.List;
import java.util.Map;

import io.idempotent.boot.OptionalModules;
import io.idempotent.lock.engine.LockEngine;

/**
 * Puts the engines that are there into the order that is wanted.
 */
final class LockEngines {

	private static final Map<String, Reason> REASONS = Map.of("redisson",
			new Reason("there is no RedissonClient",
					"Add Redisson and Spring Data Redis to the class path and set spring.data.redis.*, "
							+ "or define a RedissonClient bean"),
			"zookeeper",
			new Reason("there is neither Curator with idempotent.lock.zookeeper.connect-string nor a CuratorFramework",
					"Add org.apache.curator:curator-recipes and set idempotent.lock.zookeeper.connect-string, "
							+ "or define a CuratorFramework bean"),
			"jdbc", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"),
			"jdbc-transaction", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"));

	/** An engine, the module that has it, and one of its classes. */
	private static final Map<String, LockModule> MODULES = Map.of("redisson",
			new LockModule("idempotent-lock-redisson", "io.idempotent.lock.redisson.RedissonLockEngine"), "zookeeper",
			new LockModule("idempotent-lock-zookeeper", "io.idempotent.lock.zookeeper.ZooKeeperLockEngine"), "jdbc",
			new LockModule("idempotent-lock-jdbc", "io.idempotent.lock.jdbc.JdbcLockEngine"), "jdbc-transaction",
			new LockModule("idempotent-lock-jdbc", "io.idempotent.lock.jdbc.TransactionLockEngine"));

	private static final Reason UNKNOWN = new Reason("no bean of type LockEngine has that name",
			"Name redisson, zookeeper, jdbc, jdbc-transaction or local, or define a LockEngine bean with that name()");

	private LockEngines() {
	}

	/**
	 * Chooses the engines to use.
	 * @param wanted their names, in order of preference; none for all that are there
	 * @param present the engines that are there
	 * @return the engines, in order
	 * @throws MissingLockEngineException if one of them is not there, or there is none
	 */
	static List<LockEngine> choose(List<String> wanted, List<LockEngine> present) {
		if (!wanted.isEmpty()) {
			return wanted.stream().map((name) -> find(name, present)).toList();
		}
		if (present.isEmpty()) {
			Reason reason = reason("redisson");
			throw new MissingLockEngineException(
					"Locks are used, but there is no engine for them: idempotent.lock.engines is not set, and "
							+ reason.why() + " for the default, redisson",
					reason.action() + ", or choose other engines with idempotent.lock.engines");
		}
		return present;
	}

	private static LockEngine find(String name, List<LockEngine> present) {
		return present.stream().filter((engine) -> engine.name().equals(name)).findFirst().orElseThrow(() -> {
			Reason reason = reason(name);
			return new MissingLockEngineException("idempotent.lock.engines names '" + name + "', but " + reason.why(),
					reason.action() + ", or take '" + name + "' out of idempotent.lock.engines");
		});
	}

	private static Reason reason(String name) {
		LockModule module = MODULES.get(name);
		if (module != null && !OptionalModules.isPresent(module.type())) {
			return new Reason("there is no module " + module.name() + " on the class path",
					"Add io.idempotent:" + module.name());
		}
		return REASONS.getOrDefault(name, UNKNOWN);
	}

	private record LockModule(String name, String type) {
	}

	private record Reason(String why, String action) {
	}

}
