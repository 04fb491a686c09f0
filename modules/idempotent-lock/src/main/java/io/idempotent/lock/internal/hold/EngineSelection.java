package io.idempotent.lock.internal.hold;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SwitchableEngine;
import org.jspecify.annotations.Nullable;

/**
 * Selects the engine for each lock: the one that its options name, or else the first one.
 */
public final class EngineSelection {

	private final LockEngine first;

	private final Map<String, LockEngine> engines = new LinkedHashMap<>();

	private final Map<String, LeaseMonitor> monitors = new LinkedHashMap<>();

	/**
	 * Creates the selection.
	 * @param engines the engines, or one that is around engines
	 * @param monitor creates what monitors the locks of an engine
	 * @throws IllegalArgumentException if there is no engine, or there are two of a name
	 */
	public EngineSelection(List<LockEngine> engines, Function<LockEngine, LeaseMonitor> monitor) {
		if (engines.isEmpty()) {
			throw new IllegalArgumentException("There is no lock engine");
		}
		this.first = engines.get(0);
		for (LockEngine engine : (this.first instanceof SwitchableEngine switchable) ? switchable.engines() : engines) {
			if (this.engines.put(engine.name(), engine) != null) {
				throw new IllegalArgumentException("There are two lock engines '" + engine.name() + "'");
			}
			this.monitors.put(engine.name(), monitor.apply(engine));
		}
	}

	/**
	 * The engine to ask for a lock.
	 * @param options the options of the lock
	 */
	public LockEngine engine(LockOptions options) {
		return (options.engine() != null) ? find(options.engine()) : this.first;
	}

	/** The engine to ask for locks that name none. */
	public LockEngine first() {
		return this.first;
	}

	/**
	 * The engine around the others.
	 * @return the engine, or {@code null} if locks stay on theirs
	 */
	public @Nullable SwitchableEngine switchable() {
		return (this.first instanceof SwitchableEngine switchable) ? switchable : null;
	}

	/**
	 * Finds an engine that locks may name.
	 * @param engine its name
	 */
	public LockEngine find(String engine) {
		LockEngine found = this.engines.get(engine);
		if (found == null) {
			throw new IllegalArgumentException(
					"There is no lock engine '" + engine + "': idempotent.lock.engines names " + names());
		}
		return found;
	}

	/**
	 * What monitors the locks that an engine has granted.
	 * @param engine the engine, not one around engines
	 */
	public LeaseMonitor monitor(LockEngine engine) {
		LeaseMonitor monitor = this.monitors.get(engine.name());
		if (monitor == null) {
			throw new IllegalArgumentException("The lock engine '" + engine.name() + "' is not one of " + names());
		}
		return monitor;
	}

	public Stream<LeaseMonitor> monitors() {
		return this.monitors.values().stream();
	}

	public List<String> names() {
		return List.copyOf(this.engines.keySet());
	}

}
