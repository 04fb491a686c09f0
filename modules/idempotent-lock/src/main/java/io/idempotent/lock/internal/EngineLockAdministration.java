package io.idempotent.lock.internal;

import java.util.List;
import java.util.function.Consumer;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.administration.HeldLockInfo;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockHolder;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.administration.LockIntervention.Action;
import io.idempotent.lock.administration.LockState;
import io.idempotent.lock.administration.WaitingThread;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.internal.Interventions.Request;
import io.idempotent.lock.internal.hold.EngineSelection;
import org.jspecify.annotations.Nullable;

/**
 * The administration of the locks of this node.
 */
final class EngineLockAdministration implements LockAdministration {

	private final DistributedLocks locks;

	private final LocalLocks local;

	private final EngineSelection engines;

	private final LockNames names;

	private final LockDefaults defaults;

	private final Interventions interventions;

	EngineLockAdministration(DistributedLocks locks, LocalLocks local, EngineSelection engines, LockNames names,
			LockDefaults defaults, Consumer<LockIntervention> listener) {
		this.locks = locks;
		this.local = local;
		this.engines = engines;
		this.names = names;
		this.defaults = defaults;
		this.interventions = new Interventions(listener);
	}

	@Override
	public List<HeldLockInfo> held() {
		return this.local.held();
	}

	@Override
	public List<WaitingThread> waiting() {
		return this.local.waiting();
	}

	@Override
	public List<String> engines() {
		return this.engines.names();
	}

	@Override
	public EngineStatus engineStatus() {
		return this.locks.engineStatus();
	}

	@Override
	public LockState inspect(String name, @Nullable String engine) {
		LockEngine usual = this.engines.engine(options(name));
		// The engine around the others knows the tokens as holders see them.
		LockEngine asked = (engine == null || engine.equals(usual.name())) ? usual : this.engines.find(engine);
		LockState state = asked.inspect(this.names.qualified(name));
		List<LockHolder> holders = state.holders()
			.stream()
			.map((holder) -> (holder.mode() == LockMode.WRITE) ? holder : holder.withToken(null))
			.toList();
		return new LockState(holders, state.waiters(), state.lastToken());
	}

	@Override
	public String engineOf(String name) {
		return this.engines.engine(options(name)).name();
	}

	private LockOptions options(String name) {
		return this.defaults.settings().options(this.names.require(name), LockOptions.DEFAULTS);
	}

	private LockEngine engine(String name, @Nullable String engine) {
		return this.engines.find((engine != null) ? engine : engineOf(name));
	}

	@Override
	public LockIntervention forceRelease(String name, @Nullable String engine, String by, String reason) {
		LockEngine asked = engine(this.names.require(name), engine);
		return this.interventions.make(new Request(Action.RELEASE, name, asked.name(), by, reason), () -> {
			boolean held = asked.forceRelease(this.names.qualified(name));
			this.local.check(name, asked);
			return held;
		});
	}

	@Override
	public LockIntervention switchEngine(String engine, String by, String reason) {
		this.engines.find(engine);
		return this.interventions.make(new Request(Action.SWITCH, null, engine, by, reason), () -> {
			boolean switches = !engine.equals(this.locks.currentEngine());
			this.locks.switchEngine(engine);
			return switches;
		});
	}

	@Override
	public LockIntervention cancelSwitch(String by, String reason) {
		Request request = new Request(Action.CANCEL_SWITCH, null, this.locks.currentEngine(), by, reason);
		return this.interventions.make(request, this.locks::cancelSwitch);
	}

	@Override
	public List<LockIntervention> interventions() {
		return this.interventions.all();
	}

}
