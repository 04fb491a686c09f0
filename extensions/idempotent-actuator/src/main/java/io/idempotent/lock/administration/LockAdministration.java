package io.idempotent.lock.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.idempotent.audit.AuditLine;
import io.idempotent.audit.AuditTrail;
import io.idempotent.audit.BoundedText;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.administration.LockIntervention.Action;
import io.idempotent.lock.administration.LockIntervention.Result;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.internal.EngineSelection;
import io.idempotent.lock.internal.HeldLock;
import io.idempotent.lock.internal.LeaseMonitor;
import io.idempotent.lock.internal.QueuedRequest;
import org.jspecify.annotations.Nullable;

/**
 * Shows the locks of this node, queries the engines about any lock, and lets an operator
 * intervene. Names of locks are without the namespace of the application. Safe for use by
 * many threads. {@link #held()} and {@link #waiting()} make no remote calls, and do not
 * delay threads that take or release locks.
 *
 * <p>
 * Each intervention needs a reason, 1 to 200 characters in one line, and the name of the
 * person who is responsible for it. It is written to the audit log, even if it fails: one
 * line of the logger {@code io.idempotent.audit}. What was done is returned.
 */
public class LockAdministration {

	private final EngineDistributedLocks locks;

	private final EngineSelection engines;

	private final @Nullable SwitchControl switching;

	private final AuditTrail<LockIntervention> interventions;

	/** The listener is called after each intervention, on the thread that made it. */
	public LockAdministration(EngineDistributedLocks locks, @Nullable SwitchControl switching,
			Consumer<LockIntervention> listener) {
		this.locks = locks;
		this.switching = switching;
		this.engines = locks.selection();
		this.interventions = new AuditTrail<>(LockAdministration::line, listener);
	}

	/**
	 * The locks that threads of this node hold at this moment, the oldest first. Locks
	 * that are lost are not among them, even if their threads have not released them yet.
	 */
	public List<HeldLockInfo> held() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		// All at one time: comparisons of running times would be inconsistent.
		Comparator<HeldLock> youngestFirst = Comparator.comparingLong((held) -> held.nanosHeldAt(nanos));
		return this.locks.heldByNode().sorted(youngestFirst.reversed()).map((held) -> info(held, now, nanos)).toList();
	}

	private static HeldLockInfo info(HeldLock held, Instant now, long nanos) {
		Long left = held.nanosLeft(nanos);
		return new HeldLockInfo(held.name(), held.engine().name(), text(held.mode()), nameOf(held.thread()),
				now.minusNanos(held.nanosHeldAt(nanos)), (left != null) ? Duration.ofNanos(left) : null,
				(held.mode() == LockMode.WRITE) ? held.token() : null, held.isValid());
	}

	/** The threads of this node that wait for locks, the longest wait first. */
	public List<WaitingThread> waiting() {
		Instant now = Instant.now();
		long nanos = System.nanoTime();
		return this.locks.waiting()
			.stream()
			.map((waiter) -> info(waiter, now.minusNanos(nanos - waiter.since())))
			.sorted(Comparator.comparing(WaitingThread::since))
			.toList();
	}

	private WaitingThread info(QueuedRequest waiter, Instant since) {
		return new WaitingThread(waiter.name(), this.engines.engine(waiter.options()).name(), text(waiter.mode()),
				nameOf(waiter.thread()), since);
	}

	/** A virtual thread has no name by default. */
	private static String nameOf(Thread thread) {
		return thread.getName().isEmpty() ? "thread-" + thread.getId() : thread.getName();
	}

	/** The names of the engines of this node, in order of preference. */
	public List<String> engines() {
		return this.engines.names();
	}

	/** The engine in force, as far as this node knows. */
	public String engineInForce() {
		return this.locks.engineInForce();
	}

	/** The {@link SwitchControl#status()}; empty if locks stay on their engine. */
	public Map<String, Object> switchStatus() {
		return (this.switching != null) ? this.switching.status() : Map.of();
	}

	/**
	 * Returns what an engine knows of a lock, whoever holds it; the state may have
	 * changed since.
	 * @param engine the name of the engine, or {@code null} for the one on which a lock
	 * of that name is taken now
	 * @throws IllegalArgumentException if the name is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if the engine cannot tell
	 * @throws io.idempotent.lock.LockUnavailableException if the engine cannot be asked
	 */
	public LockState inspect(String name, @Nullable String engine) {
		LockEngine ofLock = this.locks.engineOf(name);
		// The engine around the others knows the tokens as holders see them.
		LockEngine asked = (engine == null || engine.equals(ofLock.name())) ? ofLock : this.engines.find(engine);
		LockState state = asked.inspect(this.locks.qualified(name));
		List<LockHolder> holders = state.holders()
			.stream()
			.map((holder) -> (holder.mode() == LockMode.WRITE) ? holder : holder.withToken(null))
			.toList();
		return new LockState(holders, state.waiters(), state.lastToken());
	}

	/**
	 * The name of the engine on which a lock is taken now, unless the code that takes it
	 * names another one.
	 * @throws IllegalArgumentException if the name is not valid
	 */
	public String engineOf(String name) {
		return this.locks.engineOf(name).name();
	}

	/**
	 * Takes a lock away from its holders: one writer, or all readers. The lock is free
	 * afterwards, and threads that wait for it are woken. The former holders have lost
	 * it: on this node they are notified at once, on other nodes with the next renewal of
	 * the lease, a third of the lease later at most, or when they unlock.
	 * <p>
	 * <b>The code of a former holder is not stopped</b>, so it may run at the same time
	 * as that of the next one. The token of the next grant is greater, so that a fence
	 * refuses writes of the former holder after the next one has written.
	 * @param engine the name of the engine, or {@code null} as for {@link #inspect}
	 * @throws IllegalArgumentException if an argument is not valid, or there is no such
	 * engine; then nothing was done
	 * @throws UnsupportedOperationException if the engine cannot take locks away
	 * @throws io.idempotent.lock.LockUnavailableException if the engine cannot be asked;
	 * then the lock may have been released or not
	 */
	public LockIntervention forceRelease(String name, @Nullable String engine, String by, String reason) {
		String qualified = this.locks.qualified(name);
		LockEngine asked = this.engines.find((engine != null) ? engine : engineOf(name));
		return intervene(Action.RELEASE, name, asked.name(), by, reason, () -> {
			boolean held = asked.forceRelease(qualified);
			loseUnknown(name, this.engines.monitor(asked));
			return held;
		});
	}

	/** Holders of this node are notified at once. */
	private static void loseUnknown(String name, LeaseMonitor monitor) {
		monitor.held().filter((held) -> held.name().equals(name)).toList().forEach(monitor::check);
	}

	/**
	 * Lets all nodes switch to an engine, and waits until they have; see
	 * {@link SwitchControl#switchTo(String)}, whose exceptions it throws.
	 * @throws IllegalArgumentException if an argument is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if there is no {@link SwitchControl}
	 */
	public LockIntervention switchEngine(String engine, String by, String reason) {
		this.engines.find(engine);
		return intervene(Action.SWITCH, null, engine, by, reason, () -> {
			boolean switches = !engine.equals(engineInForce());
			requireSwitching().switchTo(engine);
			return switches;
		});
	}

	/**
	 * Calls off the switch in progress; see {@link SwitchControl#callOff()}, whose
	 * exceptions it throws.
	 * @throws IllegalArgumentException if an argument is not valid
	 * @throws UnsupportedOperationException if there is no {@link SwitchControl}
	 */
	public LockIntervention cancelSwitch(String by, String reason) {
		return intervene(Action.CANCEL_SWITCH, null, engineInForce(), by, reason, () -> requireSwitching().callOff());
	}

	private SwitchControl requireSwitching() {
		if (this.switching == null) {
			throw new UnsupportedOperationException("Locks stay on the engine '" + engineInForce()
					+ "': switching is not enabled. Name several engines in idempotent.lock.engines, add "
					+ "io.idempotent:idempotent-lock-switching, and set idempotent.lock.switching.enabled=true on all "
					+ "nodes");
		}
		return this.switching;
	}

	/** The last interventions on this node: at most 100, the newest first. */
	public List<LockIntervention> interventions() {
		return this.interventions.newestFirst();
	}

	/** Also records a failure. The work returns whether there was something to do. */
	private LockIntervention intervene(Action action, @Nullable String name, String engine, String by, String reason,
			BooleanSupplier work) {
		String operator = BoundedText.require("name of who is responsible", by, BoundedText.MAX_REASON);
		String why = BoundedText.require("reason", reason, BoundedText.MAX_REASON);
		Result result = Result.FAILED;
		LockIntervention ended;
		try {
			result = work.getAsBoolean() ? Result.DONE : Result.NOTHING_TO_DO;
		}
		finally {
			ended = new LockIntervention(Instant.now(), action, name, engine, operator, why, result);
			this.interventions.add(ended);
		}
		return ended;
	}

	private static AuditLine line(LockIntervention intervention) {
		AuditLine line = AuditLine.of(text(intervention.action()));
		if (intervention.name() != null) {
			line.with("lock", intervention.name());
		}
		return line.with("engine", intervention.engine())
			.with("by", intervention.by())
			.quoted("reason", intervention.reason())
			.with("result", text(intervention.result()));
	}

	private static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
