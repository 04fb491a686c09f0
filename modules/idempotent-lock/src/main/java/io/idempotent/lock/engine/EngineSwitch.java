package io.idempotent.lock.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The engine on which this node takes new locks.
 */
final class EngineSwitch {

	private static final Log logger = LogFactory.getLog(EngineSwitch.class);

	private final Map<String, LeaseMonitor> monitors;

	private final List<LockEngine> engines;

	private volatile Choice choice;

	EngineSwitch(List<LockEngine> engines, Map<String, LeaseMonitor> monitors) {
		this.engines = engines;
		this.monitors = new LinkedHashMap<>(monitors);
		this.choice = new Choice(engines.get(0), 1);
	}

	/**
	 * Chooses the engine for a lock.
	 * @param engine the engine that the options of the lock name, or {@code null} for the
	 * engine in use
	 * @return the engine to ask, and the number of switches so far
	 */
	Choice choice(@Nullable String engine) {
		Choice current = this.choice;
		return (engine != null) ? new Choice(find(engine), current.epoch()) : current;
	}

	LeaseMonitor monitor(LockEngine engine) {
		LeaseMonitor monitor = this.monitors.get(engine.name());
		if (monitor == null) {
			throw new IllegalArgumentException("The lock engine '" + engine.name() + "' is not one of " + names());
		}
		return monitor;
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
	 * The engine to ask.
	 *
	 * @param engine the engine
	 * @param epoch the number of the choice, which grows with every switch
	 */
	record Choice(LockEngine engine, long epoch) {

	}

}
