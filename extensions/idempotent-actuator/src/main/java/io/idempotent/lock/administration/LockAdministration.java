package io.idempotent.lock.administration;

import java.util.List;
import java.util.Map;

import io.idempotent.lock.engine.LockState;
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
public interface LockAdministration {

	/**
	 * The locks that threads of this node hold at this moment, the oldest first. Locks
	 * that are lost are not among them, even if their threads have not released them yet.
	 */
	List<HeldLockInfo> held();

	/** The threads of this node that wait for locks, the longest wait first. */
	List<WaitingThread> waiting();

	/** The names of the engines of this node, in order of preference. */
	List<String> engines();

	/** The engine in force, as far as this node knows. */
	String engineInForce();

	/** The {@link SwitchControl#status()}; empty if locks stay on their engine. */
	Map<String, Object> switchStatus();

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
	LockState inspect(String name, @Nullable String engine);

	/**
	 * The name of the engine on which a lock is taken now, unless the code that takes it
	 * names another one.
	 * @throws IllegalArgumentException if the name is not valid
	 */
	String engineOf(String name);

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
	LockIntervention forceRelease(String name, @Nullable String engine, String by, String reason);

	/**
	 * Lets all nodes switch to an engine, and waits until they have; see
	 * {@link SwitchControl#switchTo(String)}, whose exceptions it throws.
	 * @throws IllegalArgumentException if an argument is not valid, or there is no such
	 * engine
	 * @throws UnsupportedOperationException if there is no {@link SwitchControl}
	 */
	LockIntervention switchEngine(String engine, String by, String reason);

	/**
	 * Calls off the switch in progress; see {@link SwitchControl#callOff()}, whose
	 * exceptions it throws.
	 * @throws IllegalArgumentException if an argument is not valid
	 * @throws UnsupportedOperationException if there is no {@link SwitchControl}
	 */
	LockIntervention cancelSwitch(String by, String reason);

	/** The last interventions on this node: at most 100, the newest first. */
	List<LockIntervention> interventions();

}
