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

	public LockEngine engine(LockOptions options) {
		return (options.engine() != null) ? find(options.engine()) : this.first;
	}

	/** The engine for locks that name none. */
	public LockEngine first() {
		return this.first;
	}

	/** The engine around the others; null if locks stay on theirs. */
	public @Nullable SwitchableEngine switchable() {
		return (this.first instanceof SwitchableEngine switchable) ? switchable : null;
	}

	public LockEngine find(String engine) {
		LockEngine found = this.engines.get(engine);
		if (found == null) {
			throw new IllegalArgumentException(
					"There is no lock engine '" + engine + "': idempotent.lock.engines names " + names());
		}
		return found;
	}

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
