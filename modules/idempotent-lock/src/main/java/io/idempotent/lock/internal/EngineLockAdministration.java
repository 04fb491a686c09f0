package io.idempotent.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

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
import io.idempotent.lock.internal.hold.HeldLock;
import io.idempotent.lock.internal.hold.LeaseMonitor;
import io.idempotent.lock.internal.hold.QueuedRequest;
import io.idempotent.lock.internal.hold.ThreadLocks;
import org.jspecify.annotations.Nullable;

/** Collects what threads hold and wait for on request, from existing state. */
final class EngineLockAdministration implements LockAdministration {

	private final DistributedLocks locks;

	private final ThreadLocks threads;

	private final EngineSelection engines;

	private final LockNames names;

	private final LockDefaults defaults;

	private final Interventions interventions;

	EngineLockAdministration(DistributedLocks locks, ThreadLocks threads, EngineSelection engines, LockNames names,
			LockDefaults defaults, Consumer<LockIntervention> listener) {
		this.locks = locks;
		this.threads = threads;
		this.engines = engines;
		this.names = names;
		this.defaults = defaults;
		this.interventions = new Interventions(listener);
	}

	@Override
	public List<HeldLockInfo> held() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		// All at one time: comparisons of running times would be inconsistent.
		Comparator<HeldLock> youngestFirst = Comparator.comparingLong((held) -> held.nanosHeldAt(nanos));
		return this.engines.monitors()
			.flatMap(LeaseMonitor::held)
			.flatMap((held) -> Stream.concat(Stream.of(held), Stream.ofNullable(held.reader())))
			.sorted(youngestFirst.reversed())
			.map((held) -> info(held, now, nanos))
			.toList();
	}

	private static HeldLockInfo info(HeldLock held, Instant now, long nanos) {
		Long left = held.lease().nanosLeft(nanos);
		return new HeldLockInfo(held.name(), held.engine().name(), held.mode(), nameOf(held.thread()),
				now.minusNanos(held.nanosHeldAt(nanos)), (left != null) ? Duration.ofNanos(left) : null,
				(held.mode() == LockMode.WRITE) ? held.token() : null, held.isValid());
	}

	@Override
	public List<WaitingThread> waiting() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		return this.threads.waiting()
			.stream()
			.map((waiter) -> info(waiter, now.minusNanos(nanos - waiter.since())))
			.sorted(Comparator.comparing(WaitingThread::since))
			.toList();
	}

	private WaitingThread info(QueuedRequest waiter, Instant since) {
		return new WaitingThread(waiter.name(), this.engines.engine(waiter.options()).name(), waiter.mode(),
				nameOf(waiter.thread()), since);
	}

	/** A virtual thread has no name by default. */
	private static String nameOf(Thread thread) {
		return thread.getName().isEmpty() ? "thread-" + thread.getId() : thread.getName();
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
		LockEngine usual = usualEngine(name);
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
		return usualEngine(name).name();
	}

	private LockEngine usualEngine(String name) {
		return this.engines.engine(this.defaults.settings().options(this.names.require(name), LockOptions.DEFAULTS));
	}

	@Override
	public LockIntervention forceRelease(String name, @Nullable String engine, String by, String reason) {
		this.names.require(name);
		LockEngine asked = this.engines.find((engine != null) ? engine : engineOf(name));
		return this.interventions.make(new Request(Action.RELEASE, name, asked.name(), by, reason), () -> {
			boolean held = asked.forceRelease(this.names.qualified(name));
			loseUnknown(name, this.engines.monitor(asked));
			return held;
		});
	}

	/** Holders of this node are notified at once. */
	private static void loseUnknown(String name, LeaseMonitor monitor) {
		monitor.held().filter((held) -> held.name().equals(name)).toList().forEach(monitor::check);
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
