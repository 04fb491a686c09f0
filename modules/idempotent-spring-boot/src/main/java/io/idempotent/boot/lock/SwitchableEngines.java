package io.idempotent.boot.lock;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.breaker.CircuitBreakerHealth;
import io.idempotent.lock.engine.EpochStore;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.switching.EngineHealth;
import io.idempotent.lock.switching.Epochs;
import io.idempotent.lock.switching.SwitchListener;
import io.idempotent.lock.switching.SwitchingLockEngine;
import io.idempotent.support.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The engines that all nodes switch between, and the authority where they agree.
 */
final class SwitchableEngines {

	private static final Log logger = LogFactory.getLog(SwitchableEngines.class);

	/** From the strongest to the weakest. */
	private static final List<String> AUTHORITIES = List.of("zookeeper", "jdbc", "redisson");

	/** Their locks are local to a node, or end only with a transaction. */
	private static final Set<String> NOT_SWITCHABLE = Set.of("local", "jdbc-transaction");

	/** The entry at the authority, below the prefix. */
	private static final String ENTRY = "idempotent-epoch";

	/** How long a server has to respond while the application starts. */
	private static final long PATIENCE_SECONDS = 5;

	private SwitchableEngines() {
	}

	/**
	 * Creates the engine around the engines, without contact to the authority yet.
	 * @param engines the engines that locks use
	 * @param available all engines, among them the authority
	 * @param settings how nodes switch
	 * @param prefix the prefix of the names of locks
	 * @param health watches the engines, if there is a circuit breaker
	 * @param listener is notified of switches that have ended
	 */
	static LockEngine of(List<LockEngine> engines, List<LockEngine> available, LockProperties.Switching settings,
			String prefix, ObjectProvider<CircuitBreakerHealth> health, SwitchListener listener) {
		List<String> names = engines.stream()
			.map(LockEngine::name)
			.filter((name) -> !NOT_SWITCHABLE.contains(name))
			.toList();
		if (names.size() < 2) {
			throw new InvalidConfigurationException("idempotent.lock.switching.enabled", "true",
					"of the engines in idempotent.lock.engines, nodes can switch between " + names + " only",
					"Name two or more of redisson, quorum, zookeeper and jdbc, or remove the property");
		}
		EpochStore store = epochStore(authority(settings.authority(), names), available, prefix + ENTRY);
		if (!settings.automatic()) {
			Epochs epochs = new Epochs(store, settings.toSettings(), names, EngineHealth.UNKNOWN, listener);
			return new SwitchingLockEngine(engines, epochs);
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
		return new SwitchingLockEngine(watched, new Epochs(store, settings.toSettings(), names, watching, listener));
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

	/**
	 * Fails if other nodes of this application agree on an engine at an authority that
	 * this node does not use: it would not notice when they switch.
	 * @param settings how this node switches
	 * @param names the engines that locks use
	 * @param available all engines
	 * @param prefix the prefix of the names of locks
	 */
	static void requireNoOtherAuthority(LockProperties.Switching settings, List<String> names,
			List<LockEngine> available, String prefix) {
		String own = settings.enabled() ? authority(settings.authority(), names) : "";
		for (LockEngine engine : available) {
			EpochStore store = engine.name().equals(own) ? null : engine.epochStore(prefix + ENTRY);
			EngineStatus others = (store != null) ? agreedByOthers(store) : null;
			if (others == null) {
				continue;
			}
			String reason = "other nodes " + others.waitingFor() + " agree on the lock engine in '" + engine.name()
					+ "' (now '" + others.engine() + "', epoch " + others.epoch()
					+ "), and when they switch, a lock would have two holders";
			throw settings.enabled()
					? new InvalidConfigurationException("idempotent.lock.switching.authority", own, reason,
							"Give all nodes the same authority. To change it, stop all nodes first")
					: new InvalidConfigurationException("idempotent.lock.switching.enabled", "false", reason,
							"Enable it on all nodes. To switch it off, stop all nodes first");
		}
	}

	private static @Nullable EngineStatus agreedByOthers(EpochStore store) {
		try {
			return hasEntry(store) ? Epochs.agreedByOthers(store) : null;
		}
		catch (LockUnavailableException ex) {
			logger.debug("It is not known whether other nodes agree on a lock engine elsewhere", ex);
			return null;
		}
	}

	/** Whether a server has an entry, as far as it responds in time. */
	private static boolean hasEntry(EpochStore store) {
		CompletableFuture<Boolean> found = new CompletableFuture<>();
		DaemonThreads.start("idempotent-lock-authority-check", () -> {
			try {
				found.complete(store.read().version() != 0);
			}
			catch (Throwable ex) {
				logger.debug("It is not known whether other nodes agree on a lock engine elsewhere", ex);
				found.complete(false);
			}
		});
		return found.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
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
