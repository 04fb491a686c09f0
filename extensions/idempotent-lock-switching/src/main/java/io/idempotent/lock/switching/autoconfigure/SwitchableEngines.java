package io.idempotent.lock.switching.autoconfigure;

import java.util.List;
import java.util.Set;

import io.idempotent.boot.lock.LockEnginesCustomizer;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.CircuitBreakerHealth;
import io.idempotent.lock.switching.EngineHealth;
import io.idempotent.lock.switching.Epochs;
import io.idempotent.lock.switching.SwitchingLockEngine;

import org.springframework.beans.factory.ObjectProvider;

/** The engines that all nodes switch between, and the authority where they agree. */
record SwitchableEngines(LockSwitchingProperties properties, ObjectProvider<LockEngine> available,
		ObjectProvider<CircuitBreakerHealth> health) implements LockEnginesCustomizer {

	/** From the strongest to the weakest. */
	private static final List<String> AUTHORITIES = List.of("zookeeper", "jdbc", "redisson", "redis");

	/** Their locks are local to a node, or end only with a transaction. */
	private static final Set<String> NOT_SWITCHABLE = Set.of("local", "jdbc-transaction");

	/** The name of the entry that the authority keeps, below the prefix of lock names. */
	private static final String ENTRY = "idempotent-epoch";

	@Override
	public boolean writesEntryOf(String engine, List<String> engines) {
		return this.properties.enabled() && authority(engines).equals(engine);
	}

	private String authority(List<String> engines) {
		String wanted = this.properties.authority();
		return (wanted != null) ? wanted : AUTHORITIES.stream().filter(engines::contains).findFirst().orElse("");
	}

	/** A node with one engine may not be set up for switching yet. */
	@Override
	public List<LockEngine> customize(List<LockEngine> engines, String namePrefix) {
		if (engines.size() > 1) {
			AuthorityCheck.requireNoOther(
					this.properties.enabled() ? authority(engines.stream().map(LockEngine::name).toList()) : null,
					this.available.stream().toList(), namePrefix + ENTRY);
		}
		return this.properties.enabled() ? List.of(switching(engines, namePrefix)) : engines;
	}

	private SwitchingLockEngine switching(List<LockEngine> engines, String namePrefix) {
		List<String> names = engines.stream()
			.map(LockEngine::name)
			.filter((name) -> !NOT_SWITCHABLE.contains(name))
			.toList();
		if (names.size() < 2) {
			throw new InvalidConfigurationException("idempotent.lock.switching.enabled", "true",
					"of the engines in idempotent.lock.engines, nodes can switch between " + names + " only",
					"Name two or more of redisson, redis, quorum, zookeeper and jdbc, or remove the property");
		}
		SharedEntry store = sharedEntry(authority(names), namePrefix + ENTRY);
		if (!this.properties.automatic()) {
			return new SwitchingLockEngine(engines, epochs(store, names, EngineHealth.UNKNOWN));
		}
		CircuitBreakerHealth watching = this.health.getIfAvailable(() -> {
			throw new InvalidConfigurationException("idempotent.lock.switching.automatic", "true",
					"there is no circuit breaker on the class path",
					"Add io.github.resilience4j:resilience4j-circuitbreaker");
		});
		watching.watch(engines.stream().filter((engine) -> names.contains(engine.name())).toList(),
				namePrefix + "idempotent-health");
		return new SwitchingLockEngine(engines, epochs(store, names, watching));
	}

	private Epochs epochs(SharedEntry store, List<String> names, EngineHealth health) {
		Epochs epochs = new Epochs(store, this.properties.toSettings(), names, health);
		epochs.start();
		return epochs;
	}

	private SharedEntry sharedEntry(String authority, String name) {
		LockEngine engine = this.available.stream()
			.filter((candidate) -> candidate.name().equals(authority))
			.findFirst()
			.orElse(null);
		SharedEntry store = (engine != null) ? engine.sharedEntry(name) : null;
		if (store == null) {
			throw new InvalidConfigurationException("idempotent.lock.switching.authority", authority,
					(engine == null) ? "there is no such engine here"
							: "its servers cannot keep what the nodes agree on",
					"Name zookeeper, jdbc, redisson or redis, and configure it");
		}
		return store;
	}

}
