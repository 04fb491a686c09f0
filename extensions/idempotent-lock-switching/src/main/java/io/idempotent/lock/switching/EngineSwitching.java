package io.idempotent.lock.switching;

import java.util.List;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;

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
		return this.epochs.status();
	}

	/**
	 * Switches to the next engine in the configured order, from the last to the first.
	 * @return the name of the engine now in force
	 * @throws EngineSwitchException as for {@link #switchTo(String)}
	 * @throws io.idempotent.lock.LockUnavailableException as for
	 * {@link #switchTo(String)}
	 */
	public String switchToNext() {
		List<String> engines = engines();
		String next = engines.get((engines.indexOf(this.epochs.engine()) + 1) % engines.size());
		return switchTo(next);
	}

	/**
	 * Switches to an engine, and waits until all nodes have. Threads that ask for a lock
	 * meanwhile wait, within their time. Does nothing if the engine is in force.
	 * @return the name of the engine now in force
	 * @throws IllegalArgumentException if it is none of {@link #engines()}; nothing is
	 * switched
	 * @throws IllegalStateException if the current thread holds a lock, for whose release
	 * the switch would wait
	 * @throws EngineSwitchException if the switch is not possible now, was called off, or
	 * the thread is interrupted. It is called off if locks are still held after
	 * {@code idempotent.lock.switching.drain-time}
	 * @throws io.idempotent.lock.LockUnavailableException if the authority cannot be
	 * reached; then it is not known whether the nodes switch
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
		this.epochs.switchTo(engine);
		return engine;
	}

	/**
	 * Calls off the switch in progress. Locks are granted on the engine in force again.
	 * @return whether a switch was called off; {@code false} if there was none, or it was
	 * just completed
	 * @throws io.idempotent.lock.LockUnavailableException if the authority cannot be
	 * reached
	 */
	public boolean callOff() {
		return this.epochs.callOff();
	}

}
