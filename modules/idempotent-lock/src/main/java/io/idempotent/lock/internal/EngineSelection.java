package io.idempotent.lock.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;

/**
 * Selects the engine for each lock: the one that its options name, or else the engine in
 * force, which is the first one, or one around engines.
 */
public final class EngineSelection {

	private final LockEngine inForce;

	private final Map<String, LeaseMonitor> monitors = new LinkedHashMap<>();

	EngineSelection(List<LockEngine> engines, Function<LockEngine, LeaseMonitor> monitor) {
		if (engines.isEmpty()) {
			throw new IllegalArgumentException("There is no lock engine");
		}
		this.inForce = engines.get(0);
		engines.stream().flatMap((engine) -> {
			List<LockEngine> around = engine.engines();
			return around.isEmpty() ? Stream.of(engine) : around.stream();
		}).forEach((engine) -> {
			if (this.monitors.put(engine.name(), monitor.apply(engine)) != null) {
				throw new IllegalArgumentException("There are two lock engines '" + engine.name() + "'");
			}
		});
	}

	public LockEngine engine(LockOptions options) {
		return (options.engine() != null) ? find(options.engine()) : this.inForce;
	}

	/** The engine for locks that name none. */
	public LockEngine inForce() {
		return this.inForce;
	}

	public LockEngine find(String engine) {
		return monitor(engine).engine();
	}

	public LeaseMonitor monitor(LockEngine engine) {
		return monitor(engine.name());
	}

	private LeaseMonitor monitor(String engine) {
		LeaseMonitor monitor = this.monitors.get(engine);
		if (monitor == null) {
			throw new IllegalArgumentException(
					"There is no lock engine '" + engine + "': idempotent.lock.engines names " + names());
		}
		return monitor;
	}

	Stream<LeaseMonitor> monitors() {
		return this.monitors.values().stream();
	}

	public List<String> names() {
		return List.copyOf(this.monitors.keySet());
	}

}
