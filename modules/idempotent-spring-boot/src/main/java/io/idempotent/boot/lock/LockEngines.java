package io.idempotent.boot.lock;

import java.util.List;
import java.util.Map;

import io.idempotent.boot.settings.OptionalModule;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.support.StartUpException;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Selects the lock engines that the application uses, in the order of the property
 * {@code idempotent.lock.engines}.
 */
final class LockEngines {

	private static final Map<String, Reason> REASONS = Map.of("redisson",
			new Reason("there is no RedissonClient",
					"Add Redisson and Spring Data Redis to the class path and set spring.data.redis.*, "
							+ "or define a RedissonClient bean"),
			"quorum",
			new Reason("idempotent.lock.quorum.servers names no servers",
					"Set idempotent.lock.quorum.servers to the URLs of three or more independent Redis servers, "
							+ "and add Redisson to the class path"),
			"zookeeper",
			new Reason("there is neither idempotent.lock.zookeeper.connect-string nor a CuratorFramework bean",
					"Set idempotent.lock.zookeeper.connect-string, or define a CuratorFramework bean"),
			"jdbc", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"),
			"jdbc-transaction", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"));

	private static final Map<String, OptionalModule> MODULES = Map.of("redisson", OptionalModule.LOCK_REDISSON,
			"quorum", OptionalModule.LOCK_QUORUM, "zookeeper", OptionalModule.LOCK_ZOOKEEPER, "jdbc",
			OptionalModule.LOCK_JDBC, "jdbc-transaction", OptionalModule.LOCK_JDBC);

	private static final Reason UNKNOWN = new Reason("no bean of type LockEngine has that name",
			"Name redisson, zookeeper, jdbc, jdbc-transaction, quorum or local, or define a LockEngine bean with that name()");

	private LockEngines() {
	}

	/**
	 * The engines that the application names.
	 * @param environment the environment
	 * @return their names in order of preference, none for all available ones
	 */
	static List<String> named(Environment environment) {
		return Binder.get(environment).bind("idempotent.lock.engines", Bindable.listOf(String.class)).orElse(List.of());
	}

	/**
	 * Selects engines.
	 * @param names the names of the engines in order of preference, or none for all
	 * available ones
	 * @param available the available engines
	 * @return the selected engines in order of preference
	 * @throws StartUpException if a named engine is not available, or none is
	 */
	static List<LockEngine> select(List<String> names, List<LockEngine> available) {
		if (!names.isEmpty()) {
			return names.stream().map((name) -> find(name, available)).toList();
		}
		if (available.isEmpty()) {
			Reason reason = reason("redisson");
			throw new StartUpException(
					"Locks are used, but there is no engine for them: idempotent.lock.engines is not set, and "
							+ reason.why() + " for the default, redisson",
					reason.action() + ", or name other engines in idempotent.lock.engines", null);
		}
		return available;
	}

	private static LockEngine find(String name, List<LockEngine> available) {
		return available.stream().filter((engine) -> engine.name().equals(name)).findFirst().orElseThrow(() -> {
			Reason reason = reason(name);
			return new StartUpException("idempotent.lock.engines names '" + name + "', but " + reason.why(),
					reason.action() + ", or remove '" + name + "' from idempotent.lock.engines", null);
		});
	}

	private static Reason reason(String name) {
		OptionalModule module = MODULES.get(name);
		return (module != null && !module.isPresent()) ? new Reason(module.reason(), module.action())
				: REASONS.getOrDefault(name, UNKNOWN);
	}

	private record Reason(String why, String action) {
	}

}
