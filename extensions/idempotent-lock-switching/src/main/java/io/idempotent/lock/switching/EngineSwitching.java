package io.idempotent.lock.switching;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.switching.EpochDocument.Member;
import io.idempotent.lock.switching.EpochDocument.PendingSwitch;
import io.idempotent.lock.switching.EpochRules.SwitchCommand;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Lets all nodes of an application switch to another lock engine together, so that a lock
 * never has holders on two engines. Safe for use by many threads.
 *
 * <p>
 * While they switch, no lock is granted until the locks that are held have been released
 * or lost. Tokens of the new engine are greater than all former ones. Locks whose options
 * name an engine are not affected.
 */
public final class EngineSwitching {

	private final DistributedLocks locks;

	private final Epochs epochs;

	/** The locks are granted in these epochs, by a {@link SwitchingLockEngine}. */
	public EngineSwitching(DistributedLocks locks, Epochs epochs) {
		this.locks = locks;
		this.epochs = epochs;
	}

	/** The names of the engines to switch between, in order of preference. */
	public List<String> engines() {
		return this.epochs.engines();
	}

	/**
	 * The engine that the nodes have agreed on, and the nodes that a switch waits for.
	 * Makes no remote call: this node reads the state each second, and more often while
	 * the nodes switch.
	 */
	public EngineStatus status() {
		EpochDocument document = this.epochs.document();
		if (document == null) {
			return new EngineStatus(this.epochs.engine(), 0, null, List.of());
		}
		PendingSwitch pending = document.pending();
		return new EngineStatus(document.engine(), document.epoch(), (pending != null) ? pending.target() : null,
				(pending != null) ? document.waitingFor(pending) : List.of());
	}

	/** How often this node has seen the nodes switch to an engine. */
	public long completed(String engine) {
		return sum(this.epochs.contact().log().completed.get(engine));
	}

	/** How often this node has seen a switch to an engine being called off. */
	public long calledOff(String engine) {
		return sum(this.epochs.contact().log().calledOff.get(engine));
	}

	private static long sum(@Nullable LongAdder switches) {
		return (switches != null) ? switches.sum() : 0;
	}

	/**
	 * Switches to the next engine in the configured order, from the last to the first.
	 * @return the name of the engine now in force
	 * @throws EngineSwitchException as for {@link #switchTo(String)}
	 * @throws LockUnavailableException as for {@link #switchTo(String)}
	 */
	public String switchToNext() {
		List<String> engines = engines();
		String next = engines.get((engines.indexOf(this.epochs.engine()) + 1) % engines.size());
		return switchTo(next);
	}

	/**
	 * Switches to an engine, and waits until all nodes have. Threads that ask for a lock
	 * meanwhile wait, within their time. Does nothing if the engine is in force. If the
	 * authority has lost its entry, this waits until the nodes have agreed on the engine
	 * in force again, and switches then.
	 * @return the name of the engine now in force
	 * @throws IllegalArgumentException if it is none of {@link #engines()}; nothing is
	 * switched
	 * @throws IllegalStateException if the current thread holds a lock, for whose release
	 * the switch would wait
	 * @throws EngineSwitchException if the switch is not possible now, was called off, or
	 * the thread is interrupted. It is called off if locks are still held after
	 * {@code idempotent.lock.switching.drain-time}
	 * @throws LockUnavailableException if the authority cannot be reached; then it is not
	 * known whether the nodes switch
	 */
	public String switchTo(String engine) {
		if (!engines().contains(engine)) {
			throw new IllegalArgumentException("Locks cannot be switched to the engine '" + engine + "', only to "
					+ engines() + ": it is not configured (idempotent.lock.engines), or only for locks that name it");
		}
		List<DistributedLock> held = this.locks.held();
		if (!held.isEmpty()) {
			throw new IllegalStateException("The current thread holds the lock '" + held.get(0).name()
					+ "', for whose release a switch of engines would wait: release it first");
		}
		try {
			EpochDocument document;
			do {
				document = this.epochs.contact().locked(() -> start(engine));
			}
			while (!document.engine().equals(engine));
			return engine;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while the lock engine is switched to '" + engine
					+ "'. The switch goes on unless it is called off");
		}
	}

	/**
	 * Starts a switch, and waits for the end of what is in progress then: that switch, or
	 * the agreement on a new entry.
	 */
	private EpochDocument start(String engine) throws InterruptedException {
		EpochDocument document = execute(new SwitchCommand.Start(engine));
		PendingSwitch pending = document.pending();
		if (pending == null && document.engine().equals(engine)) {
			return document;
		}
		if (pending == null || !(pending.settling() || pending.target().equals(engine))) {
			throw impossible(document, engine);
		}
		EpochDocument before = document;
		EpochDocument latest = document;
		while (isInProgress(latest.pending(), pending)) {
			before = latest;
			latest = awaitChange(latest);
		}
		if (latest.epoch() == document.epoch() && !pending.settling()) {
			throw calledOff(before, pending);
		}
		return latest;
	}

	/**
	 * Calls off the switch in progress. Locks are granted on the engine in force again.
	 * @return whether a switch was called off; {@code false} if there was none, or it was
	 * just completed
	 * @throws LockUnavailableException if the authority cannot be reached
	 */
	public boolean callOff() {
		try {
			return this.epochs.contact().locked(() -> {
				EpochDocument before = this.epochs.document();
				EpochDocument after = execute(new SwitchCommand.CallOff());
				return before != null && before.pending() != null && after.pending() == null
						&& after.epoch() == before.epoch();
			});
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while a switch of lock engines is called off");
		}
	}

	/** Lets the next round execute a command, and returns what it led to. */
	private EpochDocument execute(SwitchCommand wanted) throws InterruptedException {
		this.epochs.contact().execute(wanted);
		EpochDocument document = this.epochs.document();
		LockUnavailableException failed = this.epochs.contact().failure();
		if (failed != null || document == null) {
			throw this.epochs.unavailable(failed);
		}
		return document;
	}

	private static boolean isInProgress(@Nullable PendingSwitch latest, PendingSwitch started) {
		return latest != null && (latest.settling() || latest.id() == started.id());
	}

	private EpochDocument awaitChange(EpochDocument latest) throws InterruptedException {
		AuthorityContact contact = this.epochs.contact();
		contact.requireRunning();
		LockUnavailableException failed = contact.failure();
		if (failed != null && this.epochs.isWithoutTerm()) {
			throw this.epochs.unavailable(failed);
		}
		contact.awaitChange(SwitchSettings.SWITCHING_INTERVAL);
		EpochDocument known = this.epochs.document();
		return (known != null) ? known : latest;
	}

	private EngineSwitchException calledOff(EpochDocument before, PendingSwitch pending) {
		return new EngineSwitchException("The switch of locks from '" + before.engine() + "' to '" + pending.target()
				+ "' was called off: by an operator, or since nodes still held locks or did not respond after "
				+ DurationText.of(this.epochs.settings().drainTime())
				+ " (idempotent.lock.switching.drain-time). Last waited for: " + before.waitingFor(pending));
	}

	private EngineSwitchException impossible(EpochDocument document, String engine) {
		PendingSwitch other = document.pending();
		if (other != null) {
			return new EngineSwitchException("Locks are being switched to '" + other.target()
					+ "', so that they cannot be switched to '" + engine + "' now: wait, or call that switch off");
		}
		if (document.epoch() >= EpochDocument.LAST_EPOCH) {
			return new EngineSwitchException("Epoch " + document.epoch() + " is the last one: tokens could not grow in "
					+ "another one. Stop all nodes and delete the entry at the authority to begin with epoch 1");
		}
		List<String> lacking = document.members()
			.values()
			.stream()
			.filter((member) -> !member.engines().contains(engine))
			.map(Member::description)
			.sorted()
			.toList();
		return new EngineSwitchException("Locks cannot be switched to '" + engine + "': it is not configured on "
				+ lacking + " (idempotent.lock.engines)");
	}

}
