package io.idempotent.lock.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Which engine this node takes new locks on.
 */
final class EngineSwitch {

	private static final Log logger = LogFactory.getLog(EngineSwitch.class);

	private final Map<String, LeaseMonitor> watches;

	private final List<LockEngine> engines;

	private volatile Choice choice;

	EngineSwitch(List<LockEngine> engines, Map<String, LeaseMonitor> watches) {
		this.engines = engines;
		this.watches = new LinkedHashMap<>(watches);
		this.choice = new Choice(engines.get(0), 1);
	}

	/**
	 * The choice as it stands.
	 * @param engine the engine that is wanted whichever is in use, or {@code null}
	 * @return the engine to ask, and the number of the choice
	 */
	Choice choice(@Nullable String engine) {
		Choice current = this.choice;
		return (engine != null) ? new Choice(find(engine), current.epoch()) : current;
	}

	LeaseMonitor watch(LockEngine engine) {
		LeaseMonitor watch = this.watches.get(engine.name());
		if (watch == null) {
			throw new IllegalArgumentException("The lock engine '" + engine.name() + "' is not one of " + names());
		}
		return watch;
	}

	synchronized String next() {
		int index = this.engines.indexOf(this.choice.engine());
		return use(this.engines.get((index + 1) % this.engines.size()));
	}

	synchronized String use(String engine) {
		return use(find(engine));
	}

	private String use(LockEngine engine) {
		if (engine != this.choice.engine()) {
			logger.warn("Locks are taken on the engine '" + engine.name() + "' from now on, no longer on '"
					+ this.choice.engine().name() + "'. Locks do not exclude nodes that stay on the other engine");
			this.choice = new Choice(engine, this.choice.epoch() + 1);
		}
		return engine.name();
	}

	LockEngine find(String engine) {
		return this.engines.stream()
			.filter((candidate) -> candidate.name().equals(engine))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no lock engine '" + engine + "': idempotent.lock.engines names " + names()));
	}

	List<String> names() {
		return this.engines.stream().map(LockEngine::name).toList();
	}

	/**
	 * An engine that was chosen.
	 *
	 * @param engine the engine
	 * @param epoch the number of the choice
	 */
	record Choice(LockEngine engine, long epoch) {

	}

}
