package io.idempotent.boot.lock;

import java.util.List;
import java.util.Set;

import io.idempotent.boot.InvalidConfigurationException;
import io.idempotent.lock.breaker.CircuitBreakerHealth;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.epoch.EngineHealth;
import io.idempotent.lock.epoch.EpochStore;
import io.idempotent.lock.epoch.Epochs;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The engines that all nodes switch between, and the authority where they agree.
 *
 * @param engines all engines, those with a circuit breaker wrapped
 * @param epochs what the nodes agree on, without contact to the authority yet
 */
record SwitchableEngines(List<LockEngine> engines, Epochs epochs) {

	/** From the strongest to the weakest. */
	private static final List<String> AUTHORITIES = List.of("zookeeper", "jdbc", "redisson");

	/** Their locks exclude no other node, or end with a transaction alone. */
	private static final Set<String> NOT_SWITCHABLE = Set.of("local", "jdbc-transaction");

	/**
	 * Determines which engines to switch between.
	 * @param engines the engines that locks use
	 * @param available all engines, among them the authority
	 * @param settings how nodes switch
	 * @param prefix the prefix of the names of locks
	 * @param health watches the engines, if there is a circuit breaker
	 * @return the engines
	 */
	static SwitchableEngines of(List<LockEngine> engines, List<LockEngine> available, LockProperties.Switching settings,
			String prefix, ObjectProvider<CircuitBreakerHealth> health) {
		List<String> names = engines.stream()
			.map(LockEngine::name)
			.filter((name) -> !NOT_SWITCHABLE.contains(name))
			.toList();
		if (names.size() < 2) {
			throw new InvalidConfigurationException("idempotent.lock.switching.enabled", "true",
					"of the engines in idempotent.lock.engines, nodes can switch between " + names + " only",
					"Name two or more of redisson, quorum, zookeeper and jdbc, or remove the property");
		}
		EpochStore store = epochStore(authority(settings.authority(), names), available, prefix + "idempotent-epoch");
		if (!settings.automatic()) {
			Epochs epochs = new Epochs(store, settings.toSettings(), names, EngineHealth.UNKNOWN);
			return new SwitchableEngines(engines, epochs);
		}
		CircuitBreakerHealth watching = health.getIfAvailable(() -> {
			throw new InvalidConfigurationException("idempotent.lock.switching.automatic", "true",
					"there is no circuit breaker on the class path",
					"Add io.github.resilience4j:resilience4j-circuitbreaker");
		});
		List<LockEngine> watched = engines.stream()
			.map((engine) -> names.contains(engine.name()) ? watching.watch(engine) : engine)
			.toList();
		watching.start(prefix + "idempotent-health");
		return new SwitchableEngines(watched, new Epochs(store, settings.toSettings(), names, watching));
	}

	/**
	 * The authority.
	 * @param wanted the value of the property, or {@code null}
	 * @param engines the engines that locks use
	 * @return the name of the engine whose servers are the authority
	 */
	static String authority(@Nullable String wanted, List<String> engines) {
		if (wanted != null) {
			return wanted;
		}
		return AUTHORITIES.stream().filter(engines::contains).findFirst().orElse("");
	}

	private static EpochStore epochStore(String authority, List<LockEngine> available, String name) {
		LockEngine engine = available.stream()
			.filter((candidate) -> candidate.name().equals(authority))
			.findFirst()
			.orElse(null);
		EpochStore store = (engine != null) ? engine.epochStore(name) : null;
		if (store == null) {
			throw new InvalidConfigurationException("idempotent.lock.switching.authority", authority,
					(engine == null) ? "there is no such engine here"
							: "its servers cannot keep what the nodes agree on",
					"Name zookeeper, jdbc or redisson, and configure it");
		}
		return store;
	}

}
